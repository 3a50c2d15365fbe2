import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, findUnstorable, hasInexactInteger, hasMoreValues, mayLoseDigits } from './json.js';

describe('hasInexactInteger', () => {
  const has = (json: string) => mayLoseDigits(json) && hasInexactInteger(JSON.parse(json), json);

  it.each([
    ['12345678901234567891', true],
    ['{"a":[-9007199254740993]}', true],
    ['{"text":"12345678901234567891","b":1}', false],
    [String.raw`{"text":"a\"12345678901234567891","b":1}`, false],
    ['{"a":9007199254740992,"b":123456789012345680000,"c":0.12345678901234567891,"d":12345678901234567e3}', false],
    ['{"a":9007199254740992,"b":9007199254740993}', true],
    ['{"a":1}', false],
  ])('finds whether %s has an integer that loses digits', (json, expected) => {
    expect(has(json)).toBe(expected);
  });

  it('only the numbers of the value count, not its strings', () => {
    expect(hasInexactInteger({ a: 1 }, '{"a":1,"b":12345678901234567891}')).toBe(false);
  });

  it('finds none in JSON that JavaScript wrote', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => !has(JSON.stringify(value))));
  });
});

describe('hasMoreValues', () => {
  it.each([
    ['{}', 1],
    ['[[],[]]', 4],
    ['{"a":0,"b":{"c":[1,2]}}', 11],
    [String.raw`{"a,[{":"\",[{,"}`, 3],
    ['[0,0,0', 3],
  ])('counts the values of %s', (json, count) => {
    expect([hasMoreValues(json, count), hasMoreValues(json, count - 1)]).toEqual([false, true]);
  });
});

describe('findUnstorable', () => {
  it('accepts every JSON value, and refuses all others', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        fc.pre(!JSON.stringify(value).includes(String.raw`\u0000`));
        return findUnstorable(value, 1_000_000) === null;
      }),
    );
    for (const value of [{ a: undefined }, { a: Number.NaN }, { a: new Date() }, { a: Buffer.from('x') }, { a: 1n }]) {
      expect(findUnstorable(value, 1_000)).not.toBeNull();
    }
  });

  it('stops at the limit, and refuses nothing that keeps it', () => {
    fc.assert(
      fc.property(fc.object(), (value) => {
        const json = JSON.stringify(value);
        const stored = JSON.parse(json) as unknown;
        return /\\u(?:0000|d[89a-f])/.test(json) || findUnstorable(stored, Buffer.byteLength(json)) === null;
      }),
    );
    expect(findUnstorable(Array(5_121).fill(0), 10_240)).toMatch(/at most 10240 bytes/);
  });

  it('deep values do not exhaust the stack', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
    expect(findUnstorable(deep, 1_000_000)).toMatch(/nested/);
  });
});

describe('canonicalJson', () => {
  it('equal values have the same text, in any order of their keys', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe(canonicalJson({ a: null, b: [{ c: 2, d: 1 }] }));
    const trap = JSON.parse('{"__proto__":{"x":1},"a":1}') as object;
    expect(canonicalJson(trap)).toContain('"__proto__":{"x":1}');
  });
});
