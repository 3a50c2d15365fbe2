import { type Method, request, versionOf } from '../api/request.js';
import type { Named, Role } from '../api/types.js';
import { session } from '../state/session.js';

/** An agent as administrators see it. */
export interface Agent extends Named {
  email: string;
  role: Role;
  capacity: number;
  isEnabled: boolean;
  avatarUrl: string | null;
  groupIds: string[];
  createdAt: string;
}

export interface SignInLink {
  id: string;
  url: string;
  expiresAt: string;
}

export type Routing = 'MANUAL' | 'OFFER' | 'AUTOMATIC';
export type OnUnanswered = 'KEEP' | 'RETURN_TO_BOT';

/** A group with how its chats find people (CONTRACT section 9). Times are in seconds. */
export interface AdminGroup extends Named {
  isDefault: boolean;
  routing: Routing;
  offerSeconds: number;
  maxPendingOffers: number;
  maxWaitSeconds: number;
  onUnanswered: OnUnanswered;
  offlineReassignSeconds: number;
  createdAt: string;
}

export interface Bot extends Named {
  /** Whether it fetches its events, and does not only get webhooks. */
  hasSubscription: boolean;
  createdAt: string;
}

export interface AccessToken {
  id: string;
  name: string | null;
  lastFour: string;
  expiresAt: string | null;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface Subscription {
  lastPolledAt: string | null;
  pending: number;
  oldestAt: string | null;
}

/** The events of webhooks, in the order of a chat's life. */
export const EVENTS = [
  'chat.created',
  'message.created',
  'chat.transferred',
  'chat.assigned',
  'chat.unassigned',
  'chat.returned',
  'chat.unanswered',
  'chat.closed',
  'chat.reopened',
  'chat.rated',
] as const;
export const SENDERS = ['VISITOR', 'BOT', 'AGENT', 'SYSTEM'] as const;
export const STATUSES = ['pending', 'in_flight', 'delivered', 'dead'] as const;

export interface Webhook {
  id: string;
  url: string;
  events: string[];
  senderTypes: string[];
  isEnabled: boolean;
  disabledReason: string | null;
  previousSecretExpiresAt: string | null;
  createdAt: string;
}

/** What a receiver answered: a status, or an error without an answer. */
export interface Outcome {
  status: number | null;
  error: string | null;
  durationMs: number;
}

export interface Delivery {
  id: string;
  eventId: string;
  type: string;
  chatId: string;
  status: (typeof STATUSES)[number];
  createdAt: string;
  nextAttemptAt: string | null;
  attempts: (Outcome & { at: string })[];
}

export interface Visitor {
  id: string;
  externalId: string | null;
  name: string | null;
  email: string | null;
  isVerified: boolean;
  metadata: Record<string, unknown>;
  createdAt: string;
}

export interface Organization extends Named {
  widgetKey: string;
  allowedOrigins: string[];
  retentionDays: number | null;
  timeZone: string;
  typingPreview: boolean;
  createdAt: string;
}

/** How the widget looks and what it asks (CONTRACT section 13). Null: the widget decides. */
export interface WidgetSettings {
  name: string | null;
  greeting: string | null;
  greetingAfterSeconds: number | null;
  greetingPaths: string[];
  color: string | null;
  colorText: string | null;
  theme: 'auto' | 'light' | 'dark' | null;
  position: 'left' | 'right' | null;
  locale: string | null;
  sound: boolean;
  privacyUrl: string | null;
  consent: string | null;
  askName: 'optional' | 'required' | null;
  askEmail: 'optional' | 'required' | null;
  officeHours: string | null;
  questions: string[];
  rating: boolean;
}

/** A field that was changed. */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

export interface AuditEntry {
  id: string;
  at: string;
  actor: { type: string; id: string | null; name: string | null };
  action: string;
  target: string | null;
  targetName: string | null;
  changes: FieldChange[];
  sourceAddress: string | null;
}

/** A part of a list, and where it goes on. */
export interface Page<T> {
  rows: T[];
  cursor: string | null;
}

/** The address of something of this organization in the admin API. */
export function adminPath(path: string): string {
  return `/api/admin/organizations/${session.value!.organization.id}${path}`;
}

/** Calls the admin API for this organization. @throws RequestError */
function call<T>(method: Method, path: string, body?: object, timeout?: number): Promise<T> {
  return request<T>(method, adminPath(path), body, timeout);
}

export const read = <T>(path: string): Promise<T> => call<T>('GET', path);
export const add = <T>(path: string, body: object = {}, timeout?: number): Promise<T> =>
  call<T>('POST', path, body, timeout);
export const change = <T>(path: string, body: object): Promise<T> => call<T>('PATCH', path, body);
/** Changes the version that was read. @param path the whole path @throws Refusal precondition_failed for another version */
export const changeVersion = <T extends object>(path: string, body: object, read: T): Promise<T> =>
  request<T>('PATCH', path, body, undefined, versionOf(read));
export const remove = (path: string): Promise<void> => call('DELETE', path);

/**
 * Reads a page of a list.
 * @param key the name of the list in the answer
 * @param query filters; empty ones are left out
 */
export async function readPage<T>(
  path: string,
  key: string,
  cursor: string | null,
  query: Record<string, string> = {},
): Promise<Page<T>> {
  return readPageOf<T>(adminPath(path), key, cursor, query);
}

/** The same from another part of the API, whose whole path is given. */
export async function readPageOf<T>(
  path: string,
  key: string,
  cursor: string | null,
  query: Record<string, string> = {},
): Promise<Page<T>> {
  const given = Object.entries({ ...query, cursor: cursor ?? '' }).filter(([, value]) => value !== '');
  const answer = await request<Record<string, unknown>>('GET', `${path}?${new URLSearchParams(given)}`);
  return { rows: answer[key] as T[], cursor: answer.nextCursor as string | null };
}

/** Reads all pages of a list that is short in practice, up to `most` rows. @throws RequestError */
export async function readAll<T>(path: string, key: string, most = 2_000): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null && all.length < most;) {
    const page: Page<T> = await readPage<T>(path, key, cursor);
    all.push(...page.rows);
    cursor = page.cursor;
  }
  return all;
}
