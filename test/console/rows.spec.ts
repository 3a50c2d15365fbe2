import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Row } from '../../console/api/types.js';
import { allRows, forgetRows, rowOf, takeRow } from '../../console/state/inbox/rows.js';

describe('the rows of the console', () => {
  beforeEach(forgetRows);

  const row = (rev: number, messageCount = rev) => ({ id: 'cht_1', rev, messageCount }) as Row;

  it('are the newest ones, in whatever order they come', () => {
    expect(takeRow(row(2))).toBeUndefined();
    expect(takeRow(row(1))).toBe(false);
    expect(takeRow(row(3, 1))).toBe(false);
    expect(takeRow(row(2, 3))).toMatchObject({ rev: 2, messageCount: 2 });
    expect(rowOf('cht_1')).toMatchObject({ messageCount: 3 });
  });

  it('do not come back with a page that was read before they went', () => {
    takeRow(row(2));
    expect(takeRow({ id: 'cht_1', rev: 3, isGone: true })).toMatchObject({ rev: 2 });
    expect(takeRow(row(2))).toBe(false);
    expect(allRows().size).toBe(0);
    expect(takeRow(row(3))).toBeUndefined();
    expect(rowOf('cht_1')).toMatchObject({ rev: 3 });
  });

  it('stay when it is old news that they went', () => {
    takeRow(row(4));
    expect(takeRow({ id: 'cht_1', rev: 3, isGone: true })).toBe(false);
    expect(rowOf('cht_1')).toMatchObject({ rev: 4 });
  });
});
