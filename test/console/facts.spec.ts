import { describe, expect, it } from '@jest/globals';
import { factsOf, pageOf } from '../../console/lib/facts.js';

/** An object of this many levels. */
const nested = (levels: number): Record<string, unknown> => (levels === 0 ? { end: 1 } : { a: nested(levels - 1) });

describe('facts about a visitor or a chat', () => {
  it('each fact is one line, with the names of the objects that contain it', () => {
    expect(factsOf({ plan: 'Pro', empty: '', none: null, cart: { items: ['a', 'b'], total: { sum: 3 } } })).toEqual([
      ['plan', 'Pro'],
      ['cart · items', 'a, b'],
      ['cart · total · sum', '3'],
    ]);
  });

  it('facts from the fifth level on are JSON of at most 200 characters', () => {
    expect(factsOf(nested(4))).toEqual([['a · a · a · a', '{"end":1}']]);
    const [[name, value]] = factsOf(nested(1_000)) as [[string, string]];
    expect(name).toBe('a · a · a · a');
    expect(value).toHaveLength(201);
    expect(value).toMatch(/^\{"a":.*…$/);
  });

  it('facts are about as long as the metadata, with any names', () => {
    const many = Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`${index}`, 1]));
    const facts = { ['x'.repeat(2_000)]: many };
    expect(factsOf(facts).flat().join('').length).toBeLessThan(100_000);
  });

  it('the facts name the page once, and keep other facts with the same name', () => {
    const [here, other] = ['https://example.com/here', 'https://example.com/other'];
    const page = pageOf({ page: here }, { page: other });
    expect(page).toEqual({ key: 'page', page: here });
    expect(factsOf({ page: here, plan: 'Pro' }, page)).toEqual([['plan', 'Pro']]);
    expect(factsOf({ page: other }, page)).toEqual([['page', other]]);
    expect(pageOf({ url: 'javascript:alert(1)' }, { url: here })).toEqual({ key: 'url', page: here });
    expect(pageOf({}, {})).toBeUndefined();
  });
});
