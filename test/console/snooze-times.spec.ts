import { describe, expect, it } from '@jest/globals';
import { snoozeTimes, toLocalValue } from '../../console/lib/snooze-times.js';

const local = (text: string) => new Date(text).getTime();
const times = (now: string) =>
  Object.fromEntries(Object.entries(snoozeTimes(local(now))).map(([choice, time]) => [choice, toLocalValue(time)]));

describe('times to snooze a chat to', () => {
  it('a chat is snoozed for one or three hours, or until nine tomorrow or on Monday', () => {
    expect(times('2026-03-05T16:20')).toEqual({
      oneHour: '2026-03-05T17:20',
      threeHours: '2026-03-05T19:20',
      tomorrow: '2026-03-06T09:00',
      nextWeek: '2026-03-09T09:00',
    });
  });

  it('a time on New Year’s Eve may be in the next year', () => {
    expect(times('2026-12-31T23:30')).toMatchObject({ oneHour: '2027-01-01T00:30', tomorrow: '2027-01-01T09:00' });
  });

  it.each([
    ['Sunday', '2026-03-08T12:00', '2026-03-09T09:00'],
    ['Monday', '2026-03-09T08:00', '2026-03-16T09:00'],
  ])('on a %s, next week is the next Monday', (_, now, monday) => {
    expect(times(now).nextWeek).toBe(monday);
  });
});
