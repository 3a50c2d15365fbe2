import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { Config } from '../../src/platform/config/config.js';
import { SAMPLES } from './support/samples.js';

const ROOT = new URL('../../', import.meta.url);
const UNITS: Record<string, number> = { '': 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 };
const { FILE_MAX_SIZE } = new Config();

const filesIn = (folder: string): [place: string, text: string][] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:conf|ya?ml)$/.test(name))
    .map((name) => [`${folder}/${name}`, readFileSync(new URL(`${folder}/${name}`, ROOT), 'utf8')]);

const samples = SAMPLES.map(({ place, text }): [place: string, text: string] => [place, text]);
const configurations = [...samples, ...filesIn('docker'), ...filesIn('deploy')].filter(([, text]) =>
  /^\s*proxy_pass /m.test(text),
);

/** What nginx compares the size of a body with. Its default is 1 MB, and 0 is no limit. */
function limitsIn(text: string): number[] {
  const given = [...text.matchAll(/(?:client_max_body_size|proxy-body-size:) *['"]?(\d+)([kmg]?)\b/gi)];
  const sizes = given.map(([, count, unit]) => Number(count) * UNITS[unit!.toLowerCase()]!);
  return (sizes.length > 0 ? sizes : [UNITS.m!]).map((size) => size || Infinity);
}

describe('nginx in front of Parley', () => {
  it('the tests below find all configurations', () => {
    const pages = new Set(configurations.map(([place]) => place.split(':')[0]));
    expect([...pages]).toEqual(
      expect.arrayContaining([
        'docker/nginx.conf',
        'docs/operate/docker.md',
        'docs/operate/path.md',
        'docs/operate/scaling.md',
      ]),
    );
    expect(pages.size).toBe(4);
  });

  it.each(configurations)('%s lets a file of FILE_MAX_SIZE through, and keeps none of it', (_, text) => {
    expect(Math.min(...limitsIn(text))).toBeGreaterThanOrEqual(FILE_MAX_SIZE);
    expect(text).toMatch(/^\s*proxy_request_buffering off;/m);
  });

  it('the Helm chart lets a file of FILE_MAX_SIZE through ingress-nginx', () => {
    const values = readFileSync(new URL('deploy/helm/parley/values.yaml', ROOT), 'utf8');
    expect(limitsIn(values)).toEqual([expect.any(Number)]);
    expect(limitsIn(values)[0]).toBeGreaterThanOrEqual(FILE_MAX_SIZE);
  });
});
