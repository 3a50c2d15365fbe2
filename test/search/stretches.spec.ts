import { describe, expect, it } from '@jest/globals';
import { endOf, stretchFrom } from '../../src/search/reading/matches.queries.js';
import { startOfSegment } from '../../src/search/tokens/lexemes.js';

describe('stretches of a search', () => {
  it('a stretch begins where the one before it ended, without its segments', () => {
    const first = startOfSegment(10);
    const stretch = stretchFrom({ at: startOfSegment(101), id: '' }, 1, first);
    expect(stretch).toEqual([100]);
    expect(stretchFrom(endOf(stretch, first)!, 1, first)).toEqual([99]);
  });
});
