import { beforeAll, describe, expect, it } from '@jest/globals';
import { countWords, pluralOfChats } from '../../console/locales/strings.js';

describe('chat counts', () => {
  beforeAll(() => {
    Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-US'] }, configurable: true });
  });

  it('a count ends in "+" from the number where the service stops counting', () => {
    expect([0, 998, 999, 1_011].map(countWords)).toEqual(['0', '998', '999+', '1,011+']);
  });

  it('a count uses the plural', () => {
    const forms = { one: '{count} chat', other: '{count} chats' };
    expect([1, 2, 999].map((count) => pluralOfChats(forms, count))).toEqual(['1 chat', '2 chats', '999+ chats']);
  });
});
