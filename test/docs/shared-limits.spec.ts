import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { SHARED_LIMITS } from './support/shared-limits.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('what organizations share', () => {
  const [, section] = read('docs/operate/security.md').split('\n## What organizations share\n');
  const [, , ...rows] = section!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const nameOf = (row: string) => row.split('|')[1]!.trim();

  it('every row has a test, and every test has a row', () => {
    expect(rows.map(nameOf)).toEqual(SHARED_LIMITS.map(({ what }) => what));
  });

  it.each(SHARED_LIMITS)('a test proves the row: $what', ({ what, spec, test, bounds = [] }) => {
    expect(read(spec).replaceAll("\\'", "'")).toContain(test);
    const row = rows.find((one) => nameOf(one) === what);
    for (const bound of bounds) expect(row).toContain(bound.toLocaleString('en-US'));
  });
});
