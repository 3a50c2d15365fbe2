import { get } from '../api/request.js';
import type { Report, ReportDay, Row } from '../api/types.js';
import { serverNow } from '../state/clock.js';

const DAY_MS = 86_400_000;

/**
 * Reads the last days up to today. Only the response names the time zone and so today's date: one more day is read at each end.
 * @throws RequestError
 */
export async function readReport(count: number, groupId: string): Promise<Report> {
  const day = (offset: number) => new Date(serverNow() + offset * DAY_MS).toISOString().slice(0, 10);
  const query = new URLSearchParams({ from: day(-count), to: day(1), ...(groupId && { groupId }) });
  const { days, timeZone } = await get<Report>(`/reports?${query}`);
  const today = dayIn(timeZone);
  return { days: days.filter((one) => one.day <= today).slice(-count), timeZone };
}

/** The day of now in a time zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(serverNow());
}

/** The chat that has waited longest; null if none is waiting. @throws RequestError */
export async function readLongestWait(groupId: string): Promise<Row | null> {
  const query = new URLSearchParams({ view: 'WAITING', limit: '1', ...(groupId && { groupId }) });
  const { chats } = await get<{ chats: Row[] }>(`/chats?${query}`);
  return chats[0] ?? null;
}

/** The sum of a count of some days. */
export function sumOf(
  days: readonly ReportDay[],
  name: 'created' | 'handoffs' | 'assigned' | 'replied' | 'unanswered' | 'rated' | 'ratedWithoutAgent',
): number {
  return days.reduce((sum, day) => sum + day[name], 0);
}

/** The average score of some days, 1 to 5; null if no chat was rated. */
export function scoreOf(days: readonly ReportDay[]): number | null {
  const rated = sumOf(days, 'rated');
  return rated === 0 ? null : days.reduce((sum, day) => sum + (day.averageScore ?? 0) * day.rated, 0) / rated;
}
