import { describe, expect, it } from '@jest/globals';
import { isAccessToken, makeAccessToken } from './token-format.js';

describe('access tokens', () => {
  it('have a fixed form and a checksum that detects every single wrong character', () => {
    const token = makeAccessToken();
    expect(token).toMatch(/^prl_pat_[A-Za-z0-9]{38}$/);
    expect(isAccessToken(token)).toBe(true);
    for (let index = 'prl_pat_'.length; index < token.length; index++) {
      const other = token[index] === 'x' ? 'y' : 'x';
      expect(isAccessToken(token.slice(0, index) + other + token.slice(index + 1))).toBe(false);
    }
  });

  it('are unique', () => {
    expect(new Set(Array.from({ length: 1_000 }, makeAccessToken)).size).toBe(1_000);
  });
});
