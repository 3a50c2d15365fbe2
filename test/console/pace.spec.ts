import { describe, expect, it } from '@jest/globals';
import { Pace } from '../../console/lib/pace.js';

/** The pauses after changes that took these times, in milliseconds. */
function pausesAfter(...times: number[]): number[] {
  const pace = new Pace();
  return times.map((took) => pace.pauseAfter(took));
}

describe('the pace of a run over many chats', () => {
  it('starts a change every 50 ms, so that 200 chats take ten seconds', () => {
    const times = [8, 10, 6, 49];
    expect(pausesAfter(...times).map((pause, index) => pause + times[index]!)).toEqual([50, 50, 50, 92]);
  });

  it('pauses for as long as a busy service was slower than before', () => {
    expect(pausesAfter(8, 60, 100)).toEqual([42, 52, 92]);
  });

  it('pauses for at most 250 ms', () => {
    expect(pausesAfter(8, 10_000)).toEqual([42, 250]);
  });

  it('adds no pauses to the time that a slow network takes', () => {
    expect(pausesAfter(300, 300, 305)).toEqual([0, 0, 5]);
  });
});
