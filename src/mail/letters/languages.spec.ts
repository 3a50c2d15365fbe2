import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../platform/locale/languages.js';
import { wordsOf } from './languages.js';

const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('the words of e-mails', () => {
  it.each(LANGUAGES)('in %s, they have the placeholders of the English ones, and no empty text', (language) => {
    const english = Object.entries(wordsOf('en'));
    const words = Object.entries(wordsOf(language));
    expect(words.map(([key, text]) => [key, placeholdersOf(text)])).toEqual(
      english.map(([key, text]) => [key, placeholdersOf(text)]),
    );
    expect(words.filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});
