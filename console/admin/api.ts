import type * as api from '../api/admin-api.js';
import { type Method, request, versionOf } from '../api/request.js';
import { session } from '../state/session.js';

export type {
  AccessToken,
  AdminGroup,
  Agent,
  AttributeKey,
  AuditEntry,
  BlockedVisitor,
  Bot,
  BotUsage,
  Captcha,
  Chat,
  Connection,
  ConnectionPreview,
  Delivery,
  FieldChange,
  OfficeHours,
  FilesSummary as FileUsage,
  Organization,
  Pictures,
  SignInLink,
  Tag,
  Turn,
  Webhook,
} from '../api/admin-api.js';

export type Subscription = api.BotSubscription;
export type Setup = api.Setup;
export type Trouble = api.Trouble;
export type Visitor = api.VisitorDetail;
export type MailSetup = api.MailSetup;
export type SentMail = api.Mail;
export type ArrivedMail = api.ArrivedMail;
export type WidgetSettings = api.Widget;
/** The receiver's status, or an error without a response. */
export type Outcome = api.Ping;

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
  'chat.tagged',
  'message.rated',
  'handoff.requested',
] as const;
export const SENDERS = ['VISITOR', 'BOT', 'AGENT', 'SYSTEM'] as const;
export const STATUSES = ['pending', 'in_flight', 'delivered', 'dead'] as const;

/** A page of a list, and the cursor of the next one. */
export interface Page<T> {
  rows: T[];
  cursor: string | null;
}

/** A path of the admin API, for this organization. */
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
/** Changes a resource only if it's still the version that was read. @param path the full path @throws Refusal precondition_failed otherwise */
export const changeVersion = <T extends object>(path: string, body: object, read: T): Promise<T> =>
  request<T>('PATCH', path, body, undefined, ifMatch(versionOf(read)));

const ifMatch = (version: string | undefined): Record<string, string> => (version ? { 'If-Match': version } : {});

/** Replaces a resource; if `read` is given, only if it's still that version. @throws Refusal precondition_failed otherwise */
export const put = <T>(path: string, body: object, read: object = {}): Promise<T> =>
  request<T>('PUT', adminPath(path), body, undefined, ifMatch(versionOf(read)));

/** Makes a resource only if there is none: no version has this tag. @throws Refusal precondition_failed otherwise */
export const putNew = <T>(path: string, body: object): Promise<T> =>
  request<T>('PUT', adminPath(path), body, undefined, ifMatch('"none"'));

/** Changes what others may change at the same time: `attempt` reads it again each time. @throws RequestError */
export async function retryChange<T>(attempt: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if ((error as { code?: string }).code !== 'precondition_failed' || tries === 1) throw error;
    return retryChange(attempt, tries - 1);
  }
}

export const remove = (path: string, timeout?: number): Promise<void> => call('DELETE', path, undefined, timeout);
/** Removes a resource only if it's still the version that was read. @throws Refusal precondition_failed otherwise */
export const removeVersion = (path: string, read: object): Promise<void> =>
  request('DELETE', adminPath(path), undefined, undefined, ifMatch(versionOf(read)));

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

/** Reads a page of a list. @param path the full path */
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

/** Reads all pages of a short list, up to `most` rows. @throws RequestError */
export async function readAll<T>(path: string, key: string, most = 2_000): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null && all.length < most;) {
    const page: Page<T> = await readPage<T>(path, key, cursor);
    all.push(...page.rows);
    cursor = page.cursor;
  }
  return all;
}
