import { describe, expect, it } from '@jest/globals';
import { isToken, makeToken } from './token-format.js';

describe('tokens', () => {
  it('a token has a fixed form and a checksum that detects every single wrong character', () => {
    const token = makeToken('prl_pat_');
    expect(token).toMatch(/^prl_pat_[A-Za-z0-9]{38}$/);
    expect(isToken('prl_pat_', token)).toBe(true);
    for (let index = 'prl_pat_'.length; index < token.length; index++) {
      const other = token[index] === 'x' ? 'y' : 'x';
      expect(isToken('prl_pat_', token.slice(0, index) + other + token.slice(index + 1))).toBe(false);
    }
  });

  it('a token of one kind is not accepted as another kind', () => {
    expect(isToken('prl_ags_', makeToken('prl_ags_'))).toBe(true);
    expect(isToken('prl_pat_', makeToken('prl_ags_'))).toBe(false);
  });

  it('every token is unique', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => makeToken('prl_pat_'))).size).toBe(1_000);
  });
});
