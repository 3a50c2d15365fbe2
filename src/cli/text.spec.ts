import { describe, expect, it } from '@jest/globals';
import { printable } from '../platform/lib/printable.js';
import { cut, toJson, widthOf } from './text.js';

describe('text for terminals', () => {
  it.each([
    ['abc', 3],
    ['für', 3],
    ['日本', 4],
    ['한글', 4],
    ['e\u0301', 1],
    ['👍🏽', 2],
    ['👨‍👩‍👧', 2],
    ['❤️', 2],
    ['\u200b', 0],
  ])('measures the terminal columns of %s', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 4, 'abc…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
  ])('cuts %s to %i columns between graphemes', (text, width, wanted) => {
    expect(cut(text, width)).toBe(wanted);
  });

  it('escapes terminal commands', () => {
    expect(printable('a\u001b\r\n\t\u009b\u2028\u202e\ud800b')).toBe(
      'a\\u001b\\u000d\\u000a\\u0009\\u009b\\u2028\\u202e\\ud800b',
    );
    const turning = '\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069';
    expect(toJson(turning)).toMatch(/^"(?:\\u[0-9a-f]{4}){9}"$/);
    expect(JSON.parse(toJson({ [turning]: turning }))).toEqual({ [turning]: turning });
    expect(JSON.parse(toJson('a\u001b\u009b'))).toBe('a\u001b\u009b');
    expect(toJson('a\u001b\u009b\u007f')).toBe('"a\\u001b\\u009b\\u007f"');
  });
});
