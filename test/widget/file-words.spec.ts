import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { fileNameOf } from '../../headless/files/file-name.js';
import { en } from '../../headless/file-words/en.js';
import { labelOf, sizeWords, timeWords } from '../../headless/files/kinds.js';
import { refusalOf } from '../../headless/files/refusals.js';
import { en as strings } from '../../widget/locales/en.js';

type Words = Record<string, string>;

const namesIn = (room: string, folder: string) =>
  readdirSync(new URL(`../../${room}/${folder}/`, import.meta.url)).map((name) => name.replace('.ts', ''));
const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('the words about files', () => {
  it('every language of the widget has them', () => {
    expect(namesIn('headless', 'file-words')).toEqual(namesIn('widget', 'locales'));
  });

  it.each(namesIn('headless', 'file-words'))(
    'a language has every text with its placeholders: %s',
    async (language) => {
      const words = ((await import(`../../headless/file-words/${language}.ts`)) as Record<string, Words>)[
        language.replace('-', '')
      ]!;
      expect(Object.keys(words).toSorted()).toEqual(Object.keys(en).toSorted());
      for (const [key, text] of Object.entries(words)) {
        expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf((en as Words)[key]!)]);
        expect([key, text.trim()]).toEqual([key, text]);
        expect(text).not.toBe('');
      }
    },
  );

  it('every code has a sentence', () => {
    const codes =
      'validation_failed body_too_large forbidden not_found unsupported_media_type conflict not_uploaded size_mismatch ' +
      'type_not_allowed image_too_large infected quota_exceeded rate_limited unavailable unreachable internal_error';
    for (const code of codes.split(' ')) expect(refusalOf(code, en, strings, 26_214_400)).toMatch(/^[A-Z][^{}]+$/);
    expect(refusalOf('too_large', en, strings, 26_214_400)).toBe('The file is larger than 25 MB');
  });

  it('sizes, times, and types are written as people read them', () => {
    expect([1, 1_500, 26_214_400, 5_368_709_120].map((size) => sizeWords(size, 'en'))).toEqual([
      '1 byte',
      '1.5 kB',
      '25 MB',
      '5 GB',
    ]);
    expect([timeWords(5), timeWords(65.4)]).toEqual(['0:05', '1:05']);
    expect(['application/pdf', 'text/plain', 'video/quicktime'].map(labelOf)).toEqual(['PDF', 'TXT', 'MOV']);
  });

  it('names lose what the service refuses, and keep their extension', () => {
    expect(['a/b\\c.txt', 'gpj\u202etxt.exe', '.', '..', '  ', 'a\ud800.txt'].map(fileNameOf)).toEqual([
      'a_b_c.txt',
      'gpj_txt.exe',
      '_.',
      '_..',
      '_',
      'a_.txt',
    ]);
    expect(fileNameOf(`${'x'.repeat(300)}.pdf`)).toBe(`${'x'.repeat(251)}.pdf`);
  });
});
