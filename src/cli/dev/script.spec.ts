import { describe, expect, it } from '@jest/globals';
import type { Message } from './judge.js';
import { answersOf, differenceOf, parseScript, type SayStep } from './script.js';

const read = (text: string) => parseScript('talk.yaml', text);
const step = (text: string) => read(text)[0] as SayStep;
const messages = (...contents: string[]) => contents.map((content) => ({ content }) as Message);

describe('scripts of parley dev', () => {
  it('a script is a list of steps with what is expected', () => {
    const steps = read(`
- say: hello
  expect: You said
- say: order 7
  expect: [Searching, /^It has left/i]
- say: human
  handOver: true
- return: true
`);
    expect(steps).toEqual([
      { say: 'hello', expect: ['You said'], handOver: false },
      { say: 'order 7', expect: ['Searching', /^It has left/i], handOver: false },
      { say: 'human', expect: [], handOver: true },
      { return: true },
    ]);
  });

  it.each([
    ['', 'must be a list of steps'],
    ['say: hello', 'must be a list of steps'],
    ['- hello', 'step 1: must have "say" or "return"'],
    ['- say: hello\n- say: 7', 'step 2: "say" must be a text'],
    ['- say: a\n  expects: b', '"expects" is unknown: there are say, expect, handOver, return'],
    ['- say: a\n  expect: [b, 7]', '"expect" must be a text, or a list of texts'],
    ['- say: a\n  expect: /(/', '"expect": Invalid regular expression'],
    ['- say: a\n  handOver: 7', '"handOver" must be true or false'],
    ['- say: a\n  return: true', '"return: true" stands alone'],
    ['- say: "a', 'talk.yaml: '],
  ])('a wrong script is rejected with the step: %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('an answer may be any text if none is expected, and a hand-over needs none', () => {
    expect(answersOf(step('- say: hello'))).toBe(1);
    expect(answersOf(step('- say: hello\n  handOver: true'))).toBe(0);
    expect(answersOf(step('- say: hello\n  expect: [a, b]'))).toBe(2);
    expect(differenceOf(step('- say: hello'), messages('anything'), false)).toBeNull();
  });

  it('a difference says what was expected, and what came', () => {
    const wanted = step('- say: hello\n  expect: [one, /^two$/]');
    expect(differenceOf(wanted, messages('number one', 'two'), false)).toBeNull();
    expect(differenceOf(wanted, messages('one', 'number two'), false)).toBe(
      'was answered with "number two" instead of /^two$/',
    );
    expect(differenceOf(wanted, messages('one'), false)).toBe('was answered with nothing instead of /^two$/');
    expect(differenceOf(wanted, messages('one', 'two'), true)).toBe('led to a hand-over');
    expect(differenceOf(step('- say: human\n  handOver: true'), [], false)).toBe('did not lead to a hand-over');
  });
});
