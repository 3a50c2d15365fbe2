import { describe, expect, it } from '@jest/globals';
import { findFault } from './row-checks.js';

describe("the checks of an archive's rows", () => {
  const FILE = {
    id: 'upl_01h455vb4pex5vsknk084sn02q',
    status: 'COMPLETE',
    place: '5eb63bbbe01eeed093cb22bb',
    created_at: '2026-01-01 00:00:00+00',
  };
  const DELIVERY = { id: 'dlv_01h455vb4pex5vsknk084sn02q', position: '12' };
  const faultOf = (table: string, row: Record<string, string | null>) =>
    findFault(
      table,
      Object.keys(row).map((name) => ({ name, type: 'text', isRequired: false })),
      Object.values(row),
    );

  it('take rows as Parley writes them', () => {
    expect(faultOf('files', FILE)).toBeUndefined();
    expect(faultOf('files', { ...FILE, status: 'PENDING', place: null })).toBeUndefined();
    expect(faultOf('deliveries', DELIVERY)).toBeUndefined();
    expect(faultOf('agent_groups', { agent_id: 'a b' })).toBeUndefined();
  });

  it.each<[string, Record<string, string | null>, string]>([
    ['files', { ...FILE, status: 'PENDING', id: '../../../secrets.json' }, "the id ../../../secrets.json isn't one"],
    ['files', { ...FILE, id: 'secrets' }, "the id secrets isn't a file's"],
    ['files', { ...FILE, place: '/../../x' }, `the place of ${FILE.id} isn't one`],
    ['files', { ...FILE, place: null }, `the place of ${FILE.id} isn't one`],
    ['files', { ...FILE, status: 'PENDING', created_at: '-infinity' }, 'created_at is no time of a row'],
    ['files', { ...FILE, created_at: '99999-01-01 00:00:00+00' }, 'created_at is no time of a row'],
    ['messages', { id: 'msg_1/../x' }, "the id msg_1/../x isn't one"],
    ['deliveries', { ...DELIVERY, position: '9223372036854775807' }, 'the position is too large'],
  ])('refuse a row of %s that would harm other organizations: %j', (table, row, fault) => {
    expect(faultOf(table, row)).toBe(fault);
  });
});
