import { describe, expect, it } from '@jest/globals';
import { citationsOf } from '../../headless/citations.js';
import type { Message } from '../../headless/types.js';

const from = (type: string, citations: unknown) =>
  citationsOf({ sender: { type, id: null, name: null }, metadata: { citations } } as unknown as Message);

describe('the citations of an answer', () => {
  it('a citation has a title and an address', () => {
    expect(from('BOT', [{ title: 'Shipping', url: 'https://shop.example/shipping' }, 'https://shop.example/'])).toEqual(
      [
        { title: 'Shipping', href: 'https://shop.example/shipping' },
        { title: 'https://shop.example/', href: 'https://shop.example/' },
      ],
    );
  });

  it('a citation without a safe address is a title alone', () => {
    expect(from('AGENT', [{ title: 'A' }, { title: 'B', url: 'javascript:alert(1)' }])).toEqual([
      { title: 'A' },
      { title: 'B' },
    ]);
  });

  it('malformed citations are left out, and the list ends after 20', () => {
    for (const given of [undefined, null, 'x', {}, 7]) expect(from('BOT', given)).toEqual([]);
    expect(from('BOT', [null, 7, {}, { title: ' ' }, { url: 'nowhere' }, 'javascript:alert(1)', ['x']])).toEqual([]);
    expect(
      from(
        'BOT',
        Array.from({ length: 30 }, (_, n) => ({ title: `${n}` })),
      ),
    ).toHaveLength(20);
  });

  it("a visitor's message has none", () => {
    expect(from('VISITOR', ['https://shop.example/'])).toEqual([]);
  });
});
