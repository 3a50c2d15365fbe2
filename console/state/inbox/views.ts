import { computed, signal } from '@preact/signals';
import { hasCode, isTransient } from '../../../headless/errors.js';
import { askAhead, getAgain } from '../../api/request.js';
import type { Row, ViewName } from '../../api/types.js';
import { ask, isConnected } from '../connection.js';
import { allRows, takeRow } from './rows.js';
import { me } from '../session.js';

const PAGE = 50;
/** Maximum rows when a view is read again. */
const MAX_REREAD = 300;
/** The delay before a failed read is retried. */
const RETRY_MS = 2_000;

/** Which chats are listed. */
export interface Place {
  view: ViewName;
  groupId?: string;
  /** In OPEN and SNOOZED, only chats of this agent; in CLOSED, chats that the agent had last. */
  agentId?: string;
  /** Only chats whose visitor waits for an answer. */
  isUnanswered?: boolean;
}

/** The loaded part of a view: its chats, and the cursor of the next page. */
interface Listing {
  ids: Set<string>;
  cursor: string | null;
  isLoaded: boolean;
  /** Chats that arrived over the socket during a read. */
  arrived: Set<string> | null;
}

const listings = new Map<string, Listing>();
const version = signal(0);
const place = signal<Place>({ view: 'MINE' });
/** Increases with every read: outdated responses are ignored. */
let reading = 0;

/** The rows of the current view, in its order. */
export const visibleRows = computed<Row[]>(() => {
  void version.value;
  const { ids } = current();
  const all = allRows();
  const here = [...ids].flatMap((id) => all.get(id) ?? []).filter((row) => belongs(row, place.value));
  return here.sort(ORDERS[place.value.view]);
});

/** Increases with every change of the list. */
export const listVersion = computed(() => version.value);
export const isLoaded = computed(() => (void version.value, current().isLoaded));
export const hasMore = computed(() => (void version.value, current().cursor !== null));
/** The error code of the current view's last read. */
export const viewFailure = signal<string | null>(null);

/** Shows a view, and reads it. Returns whether it's another one. */
export function showPlace(next: Place): boolean {
  const isOther = keyOf(next) !== keyOf(place.value);
  if (!isOther && current().isLoaded) return false;
  place.value = next;
  viewFailure.value = null;
  readUntilDone(next);
  return isOther;
}

// After a reconnect, everything is read anyway.
function readUntilDone(at: Place): void {
  const again = () => at === place.value && isConnected.value && readUntilDone(at);
  readAgain().catch((error: unknown) => isTransient(error) && setTimeout(again, RETRY_MS));
}

let latestRead: Promise<void> = Promise.resolve();

/** Watches the view, then reads as many rows as were loaded. @throws RequestError */
export function readAgain(): Promise<void> {
  latestRead = readView();
  return latestRead;
}

/** Waits until no read of the view runs. */
export async function whenRead(): Promise<void> {
  for (let read: Promise<void> | null = null; read !== latestRead;) {
    read = latestRead;
    await read.catch(() => undefined);
  }
}

async function readView(): Promise<void> {
  const turn = ++reading;
  const at = place.value;
  const listing = current(at);
  const wanted = Math.min(Math.max(PAGE, listing.ids.size), MAX_REREAD);
  const ids = new Set<string>();
  listing.arrived = new Set();
  try {
    if (isConnected.value) await watch(at);
    let cursor: string | null = null;
    do {
      const page: Page = await readPage(at, cursor, wanted > PAGE ? 100 : PAGE);
      for (const { id } of page.chats) ids.add(id);
      cursor = page.nextCursor;
    } while (cursor !== null && ids.size < wanted && turn === reading);
    if (turn !== reading) return;
    const arrived: Set<string> = listing.arrived ?? new Set();
    listings.set(keyOf(at), { ids: new Set([...ids, ...arrived]), cursor, isLoaded: true, arrived: null });
    viewFailure.value = null;
    version.value++;
  } catch (error) {
    if (turn === reading) viewFailure.value = (error as { code?: string }).code ?? 'unavailable';
    throw error;
  }
}

// Without a connection, the view is still read over HTTP. The next connect watches it.
async function watch({ view, groupId }: Place): Promise<void> {
  try {
    await ask('view:watch', { view, groupId });
  } catch (error) {
    if (!hasCode(error, 'unreachable')) throw error;
  }
}

let readingMore: Promise<void> | null = null;

/** Reads the next page of the current view. Does nothing at its end. */
export function readMore(): Promise<void> {
  readingMore ??= readNextPage().finally(() => (readingMore = null));
  return readingMore;
}

async function readNextPage(): Promise<void> {
  const at = place.value;
  const listing = current();
  if (listing.cursor === null) return;
  const turn = reading;
  try {
    const { chats, nextCursor } = await readPage(at, listing.cursor, PAGE);
    if (turn === reading) {
      for (const { id } of chats) listing.ids.add(id);
      listing.cursor = nextCursor;
    }
    version.value++;
  } catch {
    // The next scroll tries again.
  }
}

/** Adds a changed chat to the views that it belongs to now, and removes it from the others. */
export function placeRow(row: Row): void {
  for (const [key, listing] of listings) {
    const change = belongs(row, placeOf(key)) ? 'add' : 'delete';
    listing.ids[change](row.id);
    listing.arrived?.[change](row.id);
  }
  version.value++;
}

export function forgetViews(): void {
  reading++;
  listings.clear();
  version.value++;
}

interface Page {
  chats: Row[];
  nextCursor: string | null;
}

async function readPage(at: Place, cursor: string | null, limit: number): Promise<Page> {
  const turn = reading;
  const page = await getAgain<Page>(pathOfPage(at, cursor, limit));
  // After a sign-out, outdated responses must not reach the next agent.
  if (turn === reading) for (const row of page.chats) takeRow(row);
  return page;
}

/** Reads the snoozed chats that wake first, so that an alert can say that one is back. @throws RequestError */
export async function readSnoozed(): Promise<void> {
  const { chats } = await readPage({ view: 'SNOOZED' }, null, 100);
  for (const { id } of chats) {
    // A newer row may have come before the answer.
    const row = allRows().get(id);
    if (row) placeRow(row);
  }
}

/** Sends the first requests ahead, while the page is still loading. */
export function readAhead(at: Place): void {
  askAhead('/session');
  askAhead(pathOfPage(at, null, PAGE));
}

function pathOfPage(at: Place, cursor: string | null, limit: number): string {
  const { view, groupId, agentId, isUnanswered } = at;
  const query = new URLSearchParams({
    view,
    limit: String(limit),
    ...(groupId && { groupId }),
    ...(agentId && { agentId }),
    ...(isUnanswered && { unanswered: 'true' }),
    ...(cursor && { cursor }),
  });
  return `/chats?${query}`;
}

function current(at = place.value): Listing {
  const key = keyOf(at);
  const known = listings.get(key);
  if (known) return known;
  const listing: Listing = { ids: new Set(), cursor: null, isLoaded: false, arrived: null };
  listings.set(key, listing);
  return listing;
}

function keyOf({ view, groupId = '', agentId = '', isUnanswered }: Place): string {
  return `${view} ${groupId} ${agentId} ${isUnanswered ? 'unanswered' : ''}`;
}

function placeOf(key: string): Place {
  const [view, groupId, agentId, unanswered] = key.split(' ') as [ViewName, string, string, string];
  return { view, groupId: groupId || undefined, agentId: agentId || undefined, isUnanswered: unanswered !== '' };
}

function belongs(row: Row, at: Place): boolean {
  const { owner, assignedTo, group } = row;
  if (at.groupId !== undefined && group?.id !== at.groupId) return false;
  if (at.isUnanswered && row.waitingSince === null) return false;
  if (at.agentId !== undefined && (owner === 'NOBODY' ? row.lastAgent : assignedTo)?.id !== at.agentId) return false;
  switch (at.view) {
    case 'MINE':
      return isMine(row) && !row.snooze;
    case 'SNOOZED':
      return row.snooze != null && (at.agentId !== undefined || isMine(row));
    case 'WAITING':
      return owner === 'QUEUE';
    case 'BOT':
      return owner === 'BOT';
    case 'OPEN':
      return owner !== 'NOBODY';
    case 'CLOSED':
      return owner === 'NOBODY';
  }
}

const latestFirst = (time: (row: Row) => string) => (one: Row, other: Row) =>
  compare(time(other), time(one)) || compare(other.id, one.id);

const byActivity = latestFirst(({ lastMessageAt, createdAt }) => lastMessageAt ?? createdAt);

/** Chats that wake when the visitor answers come last. */
const wakesAt = ({ snooze }: Row) => snooze?.until ?? '9999';

const ORDERS: Record<ViewName, (one: Row, other: Row) => number> = {
  MINE: byActivity,
  SNOOZED: (one, other) => compare(wakesAt(one), wakesAt(other)) || compare(one.id, other.id),
  WAITING: (one, other) => compare(one.queuedAt ?? '', other.queuedAt ?? '') || compare(one.id, other.id),
  BOT: byActivity,
  OPEN: byActivity,
  CLOSED: latestFirst(({ closedAt }) => closedAt ?? ''),
};

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether the agent has the chat. */
export function isMine(row: Pick<Row, 'owner' | 'assignedTo'>): boolean {
  return row.owner === 'AGENT' && row.assignedTo?.id === me().id;
}

/** The position of the open chat, or its last one after it left the list. */
let openAt: { id: string; index: number } | null = null;

/** Remembers the position of the open chat: when it leaves the list, the next chat takes it. */
export function noteOpenAt(id: string, index: number): void {
  openAt = { id, index };
}

/** The next (1) or previous (-1) chat in the current view. After a chat left the view, its last position counts. */
export function neighbor(id: string | undefined, step: 1 | -1): string | undefined {
  const ids = visibleRows.value.map((row) => row.id);
  const index = id === undefined ? -1 : ids.indexOf(id);
  if (index === -1) {
    const left = openAt !== null && openAt.id === id ? openAt.index + Math.min(step, 0) : 0;
    return ids[Math.min(Math.max(left, 0), ids.length - 1)];
  }
  return ids[Math.min(Math.max(index + step, 0), ids.length - 1)];
}
