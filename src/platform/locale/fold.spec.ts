import { describe, expect, it } from '@jest/globals';
import { foldText } from './fold.js';

describe('foldText', () => {
  it.each([
    ['letters in any case', 'ÉLODIE MÜLLER', 'Élodie Müller', 'élodie müller'],
    ['Cyrillic', 'ИВАН ПЕТРОВ', 'иван петров'],
    ['composed and decomposed accents', '\u00C9lodie', 'E\u0301lodie', 'e\u0301LODIE'],
    ['the German ß and ss', 'STRASSE', 'Straße', 'STRAẞE', 'strasse'],
    ['the two forms of the Greek sigma', 'ΟΔΥΣΣΕΥΣ', 'Οδυσσευς', 'οδυσσευσ'],
    ['the letter i with and without a dot', 'IŞIK', 'ışık', 'işik', 'İŞİK'],
    ['signs that stand for letters', '\u212Aelvin', 'Kelvin', 'kelvin'],
    ['ligatures', 'ﬁona', 'FIONA', 'fiona'],
  ])('makes %s the same', (_, first, ...others) => {
    expect(others.map(foldText)).toEqual(others.map(() => foldText(first)));
  });

  it.each([
    ['accents', 'Élodie', 'Elodie'],
    ['other letters', 'Müller', 'Mueller'],
    ['spaces', 'Ann Lee', 'AnnLee'],
    ['digits of other forms', '１', '1'],
  ])('keeps %s', (_, one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  it('changes nothing when it is applied again', () => {
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const folded = foldText(String.fromCodePoint(code));
      if (foldText(folded) !== folded) throw new Error(`U+${code.toString(16)}`);
    }
  });
});
