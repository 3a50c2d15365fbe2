import { describe, expect, it } from '@jest/globals';
import { laneKeyOf, laneOf, parseLane, parseLanes } from './lane.js';

describe('a lane', () => {
  it("a lane's kind follows from the prefix of its id", () => {
    expect(laneOf('org_1', 'whk_1')).toEqual({ organizationId: 'org_1', kind: 'WEBHOOK', id: 'whk_1' });
    expect(laneOf('org_1', 'sub_1')).toEqual({ organizationId: 'org_1', kind: 'SUBSCRIPTION', id: 'sub_1' });
    expect(laneOf('org_1', 'con_1')).toEqual({ organizationId: 'org_1', kind: 'CONNECTION', id: 'con_1' });
  });

  it('a lane can be parsed from its key', () => {
    const lane = laneOf('org_1', 'sub_1');
    expect(parseLane(laneKeyOf(lane))).toEqual(lane);
  });

  it('lanes can be parsed from the list that a statement returns', () => {
    expect(parseLanes('org_1/whk_1 org_1/sub_1')).toEqual([laneOf('org_1', 'whk_1'), laneOf('org_1', 'sub_1')]);
  });

  it('a lane that the list names twice is returned once', () => {
    expect(parseLanes('org_1/sub_1 org_1/whk_1 org_1/sub_1')).toEqual([
      laneOf('org_1', 'sub_1'),
      laneOf('org_1', 'whk_1'),
    ]);
  });
});
