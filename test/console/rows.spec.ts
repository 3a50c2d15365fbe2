import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Row } from '../../console/api/types.js';
import { allRows, forgetRows, rowOf, takeRow } from '../../console/state/inbox/rows.js';

describe('console rows', () => {
  beforeEach(forgetRows);

  const row = (rev: number, messageCount = rev) => ({ id: 'cht_1', rev, messageCount }) as Row;

  it('the newest version of a row is kept, in any order of arrival', () => {
    expect(takeRow(row(2))).toBeUndefined();
    expect(takeRow(row(1))).toBe(false);
    expect(takeRow(row(3, 1))).toBe(false);
    expect(takeRow(row(2, 3))).toMatchObject({ rev: 2, messageCount: 2 });
    expect(rowOf('cht_1')).toMatchObject({ messageCount: 3 });
  });

  it("a removed row doesn't come back with a page that was read before its removal", () => {
    takeRow(row(2));
    expect(takeRow({ id: 'cht_1', rev: 3, isGone: true })).toMatchObject({ rev: 2 });
    expect(takeRow(row(2))).toBe(false);
    expect(allRows().size).toBe(0);
    expect(takeRow(row(3))).toBeUndefined();
    expect(rowOf('cht_1')).toMatchObject({ rev: 3 });
  });

  it('a row stays when a removal is older than the row', () => {
    takeRow(row(4));
    expect(takeRow({ id: 'cht_1', rev: 3, isGone: true })).toBe(false);
    expect(rowOf('cht_1')).toMatchObject({ rev: 4 });
  });
});
