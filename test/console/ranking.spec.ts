import { describe, expect, it } from '@jest/globals';
import { ranked, rankOf } from '../../console/lib/ranking.js';

describe('what the palette shows first', () => {
  const snoozed = { name: 'Go to Snoozed', label: 'Snoozed' };

  it('whole names, beginnings, words, and further words come in this order', () => {
    const all = [
      { name: 'Administration: Chat widget', words: 'colors, greeting' },
      { name: 'The greeting' },
      { name: 'Greetings' },
      { name: 'Greeting' },
      { name: 'Regreeting' },
    ];
    expect(ranked(all, 'greeting').map(({ one, rank }) => [one.name, rank])).toEqual([
      ['Greeting', 0],
      ['Greetings', 1],
      ['The greeting', 2],
      ['Administration: Chat widget', 3],
      ['Regreeting', 4],
    ]);
  });

  it('two letters inside of a word find nothing, and three do', () => {
    expect(rankOf('no', snoozed)).toBeNull();
    expect(rankOf('ooz', snoozed)).toBe(4);
    expect(rankOf('sno', snoozed)).toBe(1);
    expect(rankOf('go to sno', snoozed)).toBe(2);
    expect(rankOf('', snoozed)).toBe(1);
  });

  it('accents and marks between words do not matter to where a word begins', () => {
    expect(rankOf('widget', { name: 'Chat-Widget' })).toBe(2);
    expect(rankOf('grösse', { name: 'Zeit & Größe' })).toBe(2);
  });
});
