import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../platform/locale/languages.js';
import { builtInScript, missSentence } from './built-in.js';
import { addressIn, nameIn } from './details.js';
import { findScriptFault } from './script-faults.js';
import { hasWords, isSame } from './words.js';

describe('scripts', () => {
  it.each(LANGUAGES)('the built-in script in %s has no fault', (language) => {
    expect(findScriptFault(builtInScript(language))).toBeNull();
    expect(missSentence(language)).not.toBe('');
  });

  it.each([
    ['Ja, bitte!', 'ja bitte'],
    ['  Crème  brûlée', 'CREME BRULEE.'],
    ['Straße', 'STRASSE'],
    ['IŞIK', 'ışık'],
    ['💳 Billing', 'billing'],
    ['👍', ' 👍 '],
  ])('%j is the same as %j', (a, b) => expect(isSame(a, b)).toBe(true));

  it.each([
    ['👍', '👎'],
    ['yes', 'yesterday'],
    ['かく', 'がく'],
  ])('%j is not the same as %j', (a, b) => expect(isSame(a, b)).toBe(false));

  it('keywords are whole words, except in scripts without spaces', () => {
    expect(hasWords('Where is my order, please?', 'my order')).toBe(true);
    expect(hasWords('Reorder', 'order')).toBe(false);
    expect(hasWords('请问营业时间是几点', '营业时间')).toBe(true);
  });

  it.each([
    ['It is vera@example.org.', 'vera@example.org'],
    ['<vera@example.org>', 'vera@example.org'],
    ['vera@example', null],
    ['a@example.org or b@example.org', null],
    ['vera', null],
    [`${'v'.repeat(320)}@example.org`, null],
  ])('the address in %j is %j', (words, address) => expect(addressIn(words)).toBe(address));

  it.each([
    [' Vera \n Vogt ', 'Vera Vogt'],
    ['x'.repeat(201), null],
    [' ', null],
  ])('the name in %j is %j', (words, name) => expect(nameIn(words)).toBe(name));
});
