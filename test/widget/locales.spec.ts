import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { AI_DISCLOSURES, AI_MARKS } from '../../src/platform/locale/ai-disclosure.js';
import { LANGUAGES as SPOKEN } from '../../src/platform/locale/languages.js';
import { languageOf } from '../../widget/launcher/languages.js';

type Words = Record<string, string>;

const FOLDER = new URL('../../widget/locales/', import.meta.url);
const LANGUAGES = readdirSync(FOLDER).map((name) => name.replace('.ts', ''));
/** The texts whose number decides their form. */
const PLURALS = ['openUnread', 'wait', 'unread'];

const wordsOf = async (language: string): Promise<Words> =>
  ((await import(`../../widget/locales/${language}.ts`)) as Record<string, Words>)[language.replace('-', '')]!;
const baseOf = (key: string) => key.split('_')[0]!;
const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe("the widget's words", () => {
  it("the launcher knows the widget's thirteen languages", () => {
    expect(LANGUAGES.toSorted()).toEqual('ar de en es fr it ja nl pl pt tr zh zh-Hant'.split(' '));
    expect(LANGUAGES.map((language) => languageOf(`${language}-XX`))).toEqual(LANGUAGES);
    expect(['fi', 'gsw', 'dent', 'eng'].map(languageOf)).toEqual(['en', 'en', 'en', 'en']);
    expect(['zh-CN', 'zh-Hans-TW', 'zh-TW', 'zh-HK', 'zh-Hant'].map(languageOf)).toEqual([
      'zh',
      'zh',
      'zh-TW',
      'zh-HK',
      'zh-Hant',
    ]);
  });

  it.each(SPOKEN)('the service says in the same words that a bot is an AI, in %s', async (language) => {
    const { ai, aiDisclosure } = await wordsOf(language);
    expect([ai, aiDisclosure]).toEqual([AI_MARKS[language], AI_DISCLOSURES[language]]);
  });

  describe.each(LANGUAGES)('in %s', (language) => {
    it('a language has every key, and no others except plural forms', async () => {
      const [english, words] = await Promise.all([wordsOf('en'), wordsOf(language)]);
      const keys = Object.keys(words);
      expect(keys.filter((key) => !key.includes('_'))).toEqual(
        Object.keys(english).filter((key) => !key.includes('_')),
      );
      expect(keys.filter((key) => key.includes('_') && !PLURALS.includes(baseOf(key)))).toEqual([]);
      expect(words.language).toBe(language);
    });

    it('a language has the placeholders of the English texts, and no empty text', async () => {
      const [english, words] = await Promise.all([wordsOf('en'), wordsOf(language)]);
      for (const [key, text] of Object.entries(words)) {
        expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf(english[baseOf(key)]!)]);
        expect([key, text.trim()]).toEqual([key, text]);
        expect(text).not.toBe('');
      }
    });

    it('a language has the plural forms that its numbers use, and no others', async () => {
      const words = await wordsOf(language);
      const rules = new Intl.PluralRules(language);
      const taken = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)));
      const forms = Object.keys(words).filter((key) => key.includes('_'));
      expect(forms.filter((key) => !taken.has(key.split('_')[1] as Intl.LDMLPluralRule))).toEqual([]);
      // A text that is the same with every number needs no forms; otherwise it needs all of them.
      for (const key of new Set(forms.map(baseOf))) {
        const missing = [...taken].filter((category) => category !== 'other' && !words[`${key}_${category}`]);
        expect([key, missing]).toEqual([key, []]);
      }
    });
  });
});
