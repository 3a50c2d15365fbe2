import { describe, expect, it } from '@jest/globals';
import { splitText, storable } from './split-text.js';

describe('a long text', () => {
  it('becomes several messages of at most 5,000 characters', () => {
    const text = Array.from({ length: 300 }, (_, at) => `Paragraph ${at}. ${'word '.repeat(10)}`).join('\n\n');
    const parts = splitText(text);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(5_000);
    expect(parts.every((part) => part.startsWith('Paragraph'))).toBe(true);
    const words = (value: string) => value.split(/\s+/).filter(Boolean);
    expect(words(parts.join(' '))).toEqual(words(text));
  });

  it('a split never divides a character', () => {
    const parts = splitText('👋'.repeat(7_000));
    expect(parts.map((part) => Array.from(part).length)).toEqual([5_000, 2_000]);
  });

  it('a short text is one message, and a blank one is none', () => {
    expect(splitText(' hello ')).toEqual(['hello']);
    expect(splitText(' \n ')).toEqual([]);
  });

  it('characters that cannot be stored are removed', () => {
    expect(storable('a\u0000b\ud800c')).toBe('abc');
  });
});
