import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, findInexactIntegers, findUnstorable } from './json.js';

describe('findInexactIntegers', () => {
  it.each([
    ['12345678901234567891', [Number('12345678901234567891')]],
    ['{"a":[-9007199254740993]}', [Number('-9007199254740993')]],
    ['{"text":"12345678901234567891","b":1}', undefined],
    [String.raw`{"text":"a\"12345678901234567891","b":1}`, undefined],
    ['{"a":9007199254740992,"b":123456789012345680000,"c":0.12345678901234567891,"d":12345678901234567e3}', undefined],
    ['{"a":1}', undefined],
  ])('finds the inexact integers of %s', (json, expected) => {
    const found = findInexactIntegers(json);
    expect(found && [...found]).toEqual(expected);
  });

  it('finds none in JSON that JavaScript wrote', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => findInexactIntegers(JSON.stringify(value)) === undefined));
  });
});

describe('findUnstorable', () => {
  it('accepts every JSON value, and refuses all others', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        fc.pre(!JSON.stringify(value).includes(String.raw`\u0000`));
        return findUnstorable(value) === null;
      }),
    );
    for (const value of [{ a: undefined }, { a: Number.NaN }, { a: new Date() }, { a: Buffer.from('x') }, { a: 1n }]) {
      expect(findUnstorable(value)).not.toBeNull();
    }
  });

  it('does not exhaust the stack', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
    expect(findUnstorable(deep)).toMatch(/nested/);
  });
});

describe('canonicalJson', () => {
  it('is the same for equal values, in any order of their keys', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe(canonicalJson({ a: null, b: [{ c: 2, d: 1 }] }));
    const trap = JSON.parse('{"__proto__":{"x":1},"a":1}') as object;
    expect(canonicalJson(trap)).toContain('"__proto__":{"x":1}');
  });
});
