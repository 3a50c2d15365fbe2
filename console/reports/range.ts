import { readPageOf } from '../admin/api.js';
import { get, request } from '../api/request.js';
import type { AgentNumbers, Rated, Report } from '../api/types.js';
import { dayIn } from '../overview/numbers.js';
import { serverNow } from '../state/clock.js';

/** What a report covers. An empty group is all of them, an empty time zone the organization's. */
export interface Range {
  from: string;
  to: string;
  groupId: string;
  timeZone: string;
}

/** The last `count` days up to today, by the calendar of a time zone. */
export function lastDays(count: number, timeZone: string): Pick<Range, 'from' | 'to'> {
  const to = dayIn(timeZone);
  return { from: addDays(to, 1 - count), to };
}

/** The month of today, or the one before it, by the calendar of a time zone. */
export function month(offset: 0 | -1, timeZone: string): Pick<Range, 'from' | 'to'> {
  const today = dayIn(timeZone);
  const begin = `${today.slice(0, 7)}-01`;
  if (offset === 0) return { from: begin, to: today };
  const end = addDays(begin, -1);
  return { from: `${end.slice(0, 7)}-01`, to: end };
}

const DAY_MS = 86_400_000;

/** A day before or after another one, as `YYYY-MM-DD`. */
function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The organization's time zone, which only a report names. @throws RequestError */
export async function readTimeZone(): Promise<string> {
  const today = new Date(serverNow()).toISOString().slice(0, 10);
  return (await get<Report>(`/reports?${new URLSearchParams({ from: today, to: today })}`)).timeZone;
}

/** The browser's time zone. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The most days of a report, first and last included. */
const MAX_DAYS = 366;

/** Why the range can't be asked for; null if it can. */
export function rangeFault({ from, to }: Range): 'rangeFault' | 'rangeTooLong' | null {
  if (from === '' || to === '' || from > to) return 'rangeFault';
  return addDays(from, MAX_DAYS - 1) < to ? 'rangeTooLong' : null;
}

/** The path of a report of this range. @param name empty: the numbers of the days */
export function reportPath(name: string, range: Range, more: Record<string, string> = {}): string {
  const given = Object.entries({ ...range, ...more }).filter(([, value]) => value !== '');
  return `/api/agent/reports${name && `/${name}`}?${new URLSearchParams(given)}`;
}

interface AgentPage {
  agents: AgentNumbers[];
  nextCursor: string | null;
  timeZone: string;
}

/** The most agents in the table. */
const MAX_AGENTS = 1_000;

/** The numbers of all agents, and of the days. */
export interface AgentsReport {
  agents: AgentNumbers[];
  days: Report['days'];
  timeZone: string;
}

/** @throws RequestError */
export async function readAgents(range: Range): Promise<AgentsReport> {
  const agents: AgentNumbers[] = [];
  const reading = request<Report>('GET', reportPath('', range));
  let page: AgentPage;
  let cursor = '';
  do {
    page = await request<AgentPage>('GET', reportPath('agents', range, { cursor }));
    agents.push(...page.agents);
    cursor = page.nextCursor ?? '';
  } while (cursor && agents.length < MAX_AGENTS);
  return { agents, days: (await reading).days, timeZone: page.timeZone };
}

/** Reads a page of the ratings. @throws RequestError */
export const readRatings = (range: Range, more: Record<string, string>, cursor: string | null) =>
  readPageOf<Rated>('/api/agent/reports/ratings', 'ratings', cursor, { ...range, ...more });
