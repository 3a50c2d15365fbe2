import { readPageOf } from '../admin/api.js';
import { request } from '../api/request.js';
import type { AgentNumbers, Rated } from '../api/types.js';
import { serverNow } from '../state/clock.js';

/** What a report covers. An empty group is all of them, an empty time zone the organization's. */
export interface Range {
  from: string;
  to: string;
  groupId: string;
  timeZone: string;
}

/** The last `count` days up to today, by the browser's calendar. */
export function lastDays(count: number): Pick<Range, 'from' | 'to'> {
  const today = new Date(serverNow());
  return {
    from: dayOf(new Date(today.getFullYear(), today.getMonth(), today.getDate() - count + 1)),
    to: dayOf(today),
  };
}

/** The month of today, or the one before it. */
export function month(offset: 0 | -1): Pick<Range, 'from' | 'to'> {
  const today = new Date(serverNow());
  const begin = new Date(today.getFullYear(), today.getMonth() + offset, 1);
  const end = offset === 0 ? today : new Date(today.getFullYear(), today.getMonth(), 0);
  return { from: dayOf(begin), to: dayOf(end) };
}

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The browser's time zone. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether the range can be asked for. */
export const isWhole = ({ from, to }: Range): boolean => from !== '' && to !== '' && from <= to;

/** The path of a report of this range. */
export function reportPath(name: string, range: Range, more: Record<string, string> = {}): string {
  const given = Object.entries({ ...range, ...more }).filter(([, value]) => value !== '');
  return `/api/agent/reports/${name}?${new URLSearchParams(given)}`;
}

interface AgentPage {
  agents: AgentNumbers[];
  nextCursor: string | null;
  timeZone: string;
}

/** The most agents in the table. */
const MAX_AGENTS = 1_000;

/** The numbers of all agents. @throws RequestError */
export async function readAgents(range: Range): Promise<{ agents: AgentNumbers[]; timeZone: string }> {
  const agents: AgentNumbers[] = [];
  let page: AgentPage;
  let cursor = '';
  do {
    page = await request<AgentPage>('GET', reportPath('agents', range, { cursor }));
    agents.push(...page.agents);
    cursor = page.nextCursor ?? '';
  } while (cursor && agents.length < MAX_AGENTS);
  return { agents, timeZone: page.timeZone };
}

/** Reads a page of the ratings. @throws RequestError */
export const readRatings = (range: Range, more: Record<string, string>, cursor: string | null) =>
  readPageOf<Rated>('/api/agent/reports/ratings', 'ratings', cursor, { ...range, ...more });
