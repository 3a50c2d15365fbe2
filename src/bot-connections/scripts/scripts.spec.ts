import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../platform/locale/languages.js';
import { builtInScript, missSentence } from './built-in.js';
import { addressIn, nameIn } from './details.js';
import { findScriptFault } from './script-faults.js';
import { answerWith } from './script-run.js';
import { foldWords, hasWords, isSame } from './words.js';

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
  ])('%j is the same as %j', (a, b) => expect(isSame(foldWords(a), foldWords(b))).toBe(true));

  it.each([
    ['👍', '👎'],
    ['yes', 'yesterday'],
    ['かく', 'がく'],
  ])('%j is not the same as %j', (a, b) => expect(isSame(foldWords(a), foldWords(b))).toBe(false));

  it('keywords are whole words, except in scripts without spaces', () => {
    const has = (text: string, words: string) => hasWords(foldWords(text), foldWords(words));
    expect(has('Where is my order, please?', 'my order')).toBe(true);
    expect(has('Reorder', 'order')).toBe(false);
    expect(has('请问营业时间是几点', '营业时间')).toBe(true);
  });

  it.each([
    ['It is vera@example.org.', 'vera@example.org'],
    ['<vera@example.org>', 'vera@example.org'],
    ['vera@example', null],
    ['a@example.org or b@example.org', null],
    ['vera', null],
    [`${'v'.repeat(320)}@example.org`, null],
  ])('the address in %j is %j', (words, address) => expect(addressIn(words)).toBe(address));

  it('a file without words is an answer to a question for any text', () => {
    const script = builtInScript('en');
    const state = { step: 'describe', misses: 0, chosen: [], seq: 3 };
    const answer = answerWith(script, { state, asked: [], seq: 4, visitor: null, sentence: '' });
    expect(answer.handOver).not.toBeNull();
  });

  it('the longest script takes little time to find that nothing matches', () => {
    const keywords = Array.from({ length: 20 }, (_, at) => `${at} ${'ÄÖÜ'.repeat(15)}`);
    const steps = Array.from({ length: 20 }, (_, at) => ({ id: `s${at}`, text: 'Hi', keywords }));
    const said = { id: '', by: 'VISITOR' as const, name: null, text: 'é '.repeat(2_500), value: null, repliesTo: null };
    const asked = Array.from({ length: 100 }, (_, at) => ({ ...said, seq: at + 1, files: [] }));
    const began = performance.now();
    answerWith({ steps }, { state: null, asked, seq: 100, visitor: null, sentence: '' });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it.each([
    [' Vera \n Vogt ', 'Vera Vogt'],
    ['x'.repeat(201), null],
    [' ', null],
  ])('the name in %j is %j', (words, name) => expect(nameIn(words)).toBe(name));
});
