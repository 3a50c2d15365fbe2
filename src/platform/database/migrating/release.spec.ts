import { describe, expect, it } from '@jest/globals';
import { isTooOld, oldestBeside } from './release.js';

describe('the releases that a schema serves', () => {
  it.each([
    ['1.4.2', '1.3.0'],
    ['1.0.3', '0.0.0'],
    ['0.1.0', '0.0.0'],
    ['0.10.1', '0.9.0'],
    ['unknown', null],
  ])('of %s the oldest is %s', (version, oldest) => expect(oldestBeside(version)).toBe(oldest));

  it.each([
    ['0.9.4', '0.10.0', true],
    ['1.0.0', '0.9.0', false],
    ['1.2.0', '1.2.0', false],
    ['1.2.9', '1.3.0', true],
    ['unknown', '1.3.0', false],
  ])('%s on a schema that needs %s: too old %s', (version, oldest, expected) =>
    expect(isTooOld(version, oldest)).toBe(expected),
  );
});
