import { describe, expect, it } from '@jest/globals';
import { findOpening, type GivenHours, toOfficeHours, WEEKDAYS } from '../../src/organizations/office-hours.js';

const DAY = [{ from: '09:00', to: '17:00' }];
const WORKDAYS = { monday: DAY, tuesday: DAY, wednesday: DAY, thursday: DAY, friday: DAY };
const NIGHT = [{ from: '22:00', to: '06:00' }];
const ALL_DAY = [{ from: '00:00', to: '24:00' }];
const ALWAYS = Object.fromEntries(WEEKDAYS.map((day) => [day, ALL_DAY]));

interface Case {
  title: string;
  hours: Partial<GivenHours>;
  /** The time, and what follows: when it opens or has opened, when it closes, and when it opens again. */
  at: string;
  opens: string | null;
  closes?: string;
  reopens?: string | null;
}

// 28 March 2026 is a Saturday. In Berlin, clocks go forward on 29 March at 2:00, and back on 25 October at 3:00.
const CASES: Case[] = [
  {
    title: 'within the hours of a day',
    hours: { week: WORKDAYS },
    at: '2026-03-25T10:00Z',
    opens: '2026-03-25T08:00Z',
    closes: '2026-03-25T16:00Z',
    reopens: '2026-03-26T08:00Z',
  },
  {
    title: 'the moment of closing is closed',
    hours: { week: WORKDAYS },
    at: '2026-03-25T16:00Z',
    opens: '2026-03-26T08:00Z',
    closes: '2026-03-26T16:00Z',
    reopens: '2026-03-27T08:00Z',
  },
  {
    title: 'the moment of opening is open',
    hours: { week: WORKDAYS },
    at: '2026-03-25T08:00Z',
    opens: '2026-03-25T08:00Z',
    closes: '2026-03-25T16:00Z',
    reopens: '2026-03-26T08:00Z',
  },
  {
    title: 'over a weekend in which clocks go forward',
    hours: { week: WORKDAYS },
    at: '2026-03-27T16:00Z',
    opens: '2026-03-30T07:00Z',
    closes: '2026-03-30T15:00Z',
    reopens: '2026-03-31T07:00Z',
  },
  {
    title: 'over a weekend in which clocks go back',
    hours: { week: WORKDAYS },
    at: '2026-10-23T16:00Z',
    opens: '2026-10-26T08:00Z',
    closes: '2026-10-26T16:00Z',
    reopens: '2026-10-27T08:00Z',
  },
  {
    title: 'a night that crosses midnight, seen after midnight',
    hours: { week: { wednesday: NIGHT } },
    at: '2026-03-26T02:00Z',
    opens: '2026-03-25T21:00Z',
    closes: '2026-03-26T05:00Z',
    reopens: '2026-04-01T20:00Z',
  },
  {
    title: 'a night in which clocks go forward has seven hours',
    hours: { week: { saturday: NIGHT } },
    at: '2026-03-28T22:00Z',
    opens: '2026-03-28T21:00Z',
    closes: '2026-03-29T04:00Z',
    reopens: '2026-04-04T20:00Z',
  },
  {
    title: 'a night in which clocks go back has nine hours',
    hours: { week: { saturday: NIGHT } },
    at: '2026-10-24T21:00Z',
    opens: '2026-10-24T20:00Z',
    closes: '2026-10-25T05:00Z',
    reopens: '2026-10-31T21:00Z',
  },
  {
    title: 'a range that begins in the hour that is left out begins after it',
    hours: { week: { sunday: [{ from: '02:30', to: '05:00' }] } },
    at: '2026-03-28T12:00Z',
    opens: '2026-03-29T01:30Z',
    closes: '2026-03-29T03:00Z',
    reopens: '2026-04-05T00:30Z',
  },
  {
    title: 'a range within the hour that is left out does not exist on that day',
    hours: { week: { sunday: [{ from: '02:00', to: '03:00' }] } },
    at: '2026-03-28T12:00Z',
    opens: '2026-04-05T00:00Z',
    closes: '2026-04-05T01:00Z',
    reopens: null,
  },
  {
    title: 'two ranges of a day',
    hours: {
      week: {
        monday: [
          { from: '13:00', to: '17:00' },
          { from: '09:00', to: '12:00' },
        ],
      },
    },
    at: '2026-03-23T11:30Z',
    opens: '2026-03-23T12:00Z',
    closes: '2026-03-23T16:00Z',
    reopens: '2026-03-30T07:00Z',
  },
  {
    title: 'ranges that touch at midnight are one',
    hours: { week: { monday: [{ from: '20:00', to: '24:00' }], tuesday: [{ from: '00:00', to: '02:00' }] } },
    at: '2026-03-23T20:00Z',
    opens: '2026-03-23T19:00Z',
    closes: '2026-03-24T01:00Z',
    reopens: '2026-03-30T18:00Z',
  },
  {
    title: 'a date that is closed instead of its weekday',
    hours: { week: WORKDAYS, exceptions: [{ date: '2026-03-26', ranges: [] }] },
    at: '2026-03-25T16:00Z',
    opens: '2026-03-27T08:00Z',
    closes: '2026-03-27T16:00Z',
    reopens: '2026-03-30T07:00Z',
  },
  {
    title: 'a date with hours of its own',
    hours: { week: WORKDAYS, exceptions: [{ date: '2026-03-28', ranges: [{ from: '10:00', to: '12:00' }] }] },
    at: '2026-03-27T16:00Z',
    opens: '2026-03-28T09:00Z',
    closes: '2026-03-28T11:00Z',
    reopens: '2026-03-30T07:00Z',
  },
  {
    title: 'a night that began before a closed date goes on',
    hours: { week: { wednesday: NIGHT }, exceptions: [{ date: '2026-03-26', ranges: [] }] },
    at: '2026-03-26T02:00Z',
    opens: '2026-03-25T21:00Z',
    closes: '2026-03-26T05:00Z',
    reopens: '2026-04-01T20:00Z',
  },
  { title: 'an empty week is never open', hours: { week: {} }, at: '2026-03-25T10:00Z', opens: null },
  {
    title: 'an empty week with a date in three months',
    hours: { week: {}, exceptions: [{ date: '2026-06-30', ranges: DAY }] },
    at: '2026-03-25T10:00Z',
    opens: '2026-06-30T07:00Z',
    closes: '2026-06-30T15:00Z',
    reopens: null,
  },
  {
    title: 'a date that is over does not count',
    hours: { week: {}, exceptions: [{ date: '2026-03-24', ranges: DAY }] },
    at: '2026-03-25T10:00Z',
    opens: null,
  },
  {
    title: 'a zone whose day is another one',
    hours: { timeZone: 'Pacific/Auckland', week: { monday: DAY } },
    at: '2026-03-29T19:00Z',
    opens: '2026-03-29T20:00Z',
    closes: '2026-03-30T04:00Z',
    reopens: '2026-04-05T21:00Z',
  },
];

describe('the times that follow from office hours', () => {
  const opening = (hours: Partial<GivenHours>, at: string) =>
    findOpening(toOfficeHours({ timeZone: 'Europe/Berlin', week: {}, ...hours }), new Date(at));

  it.each(CASES)('$title', ({ hours, at, opens, closes, reopens }) => {
    const time = (text: string | null | undefined) => (text ? new Date(text) : null);
    const expected = opens && { opensAt: time(opens), closesAt: time(closes), reopensAt: time(reopens) };
    expect(opening(hours, at)).toEqual(expected);
  });

  it('a week without a gap is open for at least a week, at any time', () => {
    for (const at of ['2026-03-25T10:00Z', '2026-03-28T23:00Z', '2026-10-24T23:59Z']) {
      const found = opening({ week: ALWAYS }, at);
      expect(found!.opensAt.getTime()).toBeLessThanOrEqual(Date.parse(at));
      expect(found!.closesAt.getTime() - Date.parse(at)).toBeGreaterThan(7 * 86_400_000);
    }
  });
});
