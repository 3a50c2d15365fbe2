import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorCodes as headlessCodes } from '../../headless/error-codes.js';
import { errorCodes as botCodes } from '../../packages/bot/src/error-codes.js';
import { DISCONNECTS, REFUSALS, SESSION_ENDS } from '../../src/live/feeds/disconnects.js';
import { EVENT_TYPES } from '../../src/receivers/event-type.js';
import { VARIABLES } from '../../src/platform/config/variables.js';
import { PROBLEMS, problemType } from '../../src/platform/errors/problem-codes.js';
import { METRICS } from '../../src/platform/telemetry/metric-list.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const CODES = Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[];
/** The tables themselves. */
const TABLES = /(?:problem-codes|metric-list|disconnects)\.ts$/;
const sources = readdirSync(`${ROOT}/src`, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !TABLES.test(path))
  .map((path) => read(`src/${path}`));

/** The names that the address of a page may end with: `#not_found`. */
const anchorsOf = (page: string) => Array.from(read(page).matchAll(/<a id="([^"]+)"><\/a>/g), ([, id]) => id!);
const isUsed = (name: string) => sources.some((source) => source.includes(`'${name}'`));

describe('the reference', () => {
  it('every code that the code throws has a row in the table of errors', () => {
    const thrown = sources.flatMap((source) =>
      Array.from(source.matchAll(/\b(?:new Problem|problemWith)\(\s*'(\w+)'/g), ([, code]) => code!),
    );
    expect(thrown.length).toBeGreaterThan(30);
    expect(thrown.filter((code) => !CODES.includes(code as never))).toEqual([]);
  });

  it('every row of the table of errors is a code that something throws', () => {
    expect(CODES.filter((code) => !isUsed(code))).toEqual([]);
  });

  it("the type of every problem ends with its row's name on the page of errors", () => {
    const anchors = anchorsOf('docs/reference/errors.md');
    expect(CODES.map((code) => problemType(code).split('#')[1])).toEqual(expect.arrayContaining(anchors));
    expect(anchors.toSorted()).toEqual(CODES.toSorted());
  });

  it('the type of a problem begins with PUBLIC_URL, or is relative without it', () => {
    expect(problemType('not_found')).toBe('/docs/errors#not_found');
    expect(problemType('not_found', 'https://chat.example')).toBe('https://chat.example/docs/errors#not_found');
    expect(problemType('not_found', 'https://a.example/chat/')).toBe('https://a.example/chat/docs/errors#not_found');
  });

  it("the clients' lists have the codes of the service", () => {
    expect(botCodes).toEqual(CODES);
    expect(headlessCodes).toEqual(CODES);
  });

  it('every metric in the table is one that the code registers', () => {
    expect(Object.keys(METRICS).filter((name) => !isUsed(name))).toEqual([]);
  });

  it.each([
    ['environment.md', Object.keys(VARIABLES)],
    ['metrics.md', Object.keys(METRICS)],
    ['disconnects.md', [...Object.keys(REFUSALS), ...Object.keys(DISCONNECTS), ...Object.keys(SESSION_ENDS)]],
  ])('docs/reference/%s has a row for every name in the code, and no other', (page, names) => {
    expect(anchorsOf(`docs/reference/${page}`).toSorted()).toEqual(names.toSorted());
  });

  it('docs/reference/events.md has a row for every event of webhooks', () => {
    expect(anchorsOf('docs/reference/events.md')).toEqual(expect.arrayContaining([...EVENT_TYPES, 'ping']));
  });
});
