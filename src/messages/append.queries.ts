import type { Pool, PoolClient } from 'pg';
import type { RequiredOwner } from '../chats/moves/chat-problems.js';
import { isDistributed } from '../platform/database/citus/per-organization.js';
import { jsonOf } from '../platform/lib/json.js';
import { type Idempotency, keysExpireBefore } from '../idempotency/idempotency.js';
import type { StoredFile } from '../files/file.js';
import type { MessageType, ReplyTo, Sender } from './message.js';

/** A message to store. */
export interface NewMessage {
  organizationId: string;
  chatId: string;
  id: string;
  type: MessageType;
  content: string;
  metadata: Record<string, unknown> | null;
  /** The uploads that it names, for a message that's stored under its chat's lock. */
  fileIds?: readonly string[] | null;
  /** The same uploads, once they're stored as its files. */
  files?: StoredFile[] | null;
  sender: Sender;
  createdAt: Date;
  /** The client's own id: a sender's messages with the same one are stored once. */
  clientMessageId: string | null;
  /** When the service accepted it, in milliseconds of `performance.now()`. */
  startedAt: number;
  /** The request's trace. */
  traceparent: string | null;
  /** The choice that it answers. */
  replyTo: ReplyTo | null;
  /** Stores the message only while the bots have the chat. */
  ifOwnerIsBot: boolean;
  /** Who must have the chat, for a message that the statement refuses: a chat that has ended is reopened for the bots first. */
  requiredOwner?: RequiredOwner;
}

/** An idempotency key to reserve together with the message, and the response to store for it. */
export interface KeyReservation extends Idempotency {
  response: object;
}

/** A message to store, with the idempotency key of its request, if any. */
export interface Append {
  message: NewMessage;
  reservation: KeyReservation | null;
}

/** What was stored. */
export interface Appended {
  /** The `seq` of each message, in the order given; null for one that was left out. */
  seqs: (number | null)[];
  /** The webhook lanes that got events; null if no webhook wants any. */
  lanes: string | null;
}

/** How messages are stored. */
export interface AppendMode {
  /** Waits for the chat's lock, for a single message. Without it, a message to a locked chat is left out, so that it delays no other. */
  waits?: boolean;
  /** Stores the system message of a transaction that has closed the chat. */
  isNotice?: boolean;
}

const PARAMETERS = `
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22`;
/**
 * Everything that messages change, in one call: one round trip, one commit, all or nothing. The function's text is in
 * `migrations/functions/append-messages.ts`, and its name has a number: a node of the previous release calls the one that it knows.
 */
export const APPEND_MESSAGES = `
  SELECT seqs, lanes FROM append_messages_1(${PARAMETERS})`;
// On a Citus cluster, the worker with the organizations' shard runs it (`platform/database/citus/distribute.ts`).
const APPEND_MESSAGES_OF_SHARD = `
  SELECT seqs, lanes FROM append_messages_1_of_shard($23, $24, ${PARAMETERS})`;

/**
 * Stores messages with all their effects. Leaves out a message that was stored before, and one whose chat is unknown, erased, locked, ended,
 * another visitor's, or another agent's; the caller finds out which. No two messages may have the same key, nor the same sender and
 * `clientMessageId`. On a Citus cluster, all messages must be of organizations on one shard.
 */
export async function appendMessages(
  client: Pool | PoolClient,
  appends: readonly Append[],
  mode: AppendMode = {},
): Promise<Appended> {
  const values = valuesOf(appends, mode);
  const query = isDistributed(client)
    ? {
        name: 'append-messages of shard',
        text: APPEND_MESSAGES_OF_SHARD,
        values: [...values, appends[0]!.message.organizationId, organizationsOf(appends)],
      }
    : { name: 'append-messages', text: APPEND_MESSAGES, values };
  return (await client.query<Appended>(query)).rows[0]!;
}

function organizationsOf(appends: readonly Append[]): string[] {
  return [...new Set(appends.map(({ message }) => message.organizationId))];
}

function valuesOf(appends: readonly Append[], { waits = false, isNotice = false }: AppendMode): unknown[] {
  const messages = appends.map(({ message }) => message);
  const reservations = appends.map(({ reservation }) => reservation);
  return [
    messages.map(({ organizationId }) => organizationId),
    messages.map(({ chatId }) => chatId),
    messages.map(({ id }) => id),
    messages.map(({ type }) => type),
    messages.map(({ content }) => content),
    messages.map(({ metadata }) => metadata && jsonOf(metadata)),
    messages.map(({ sender }) => sender.type),
    messages.map(({ sender }) => sender.id),
    messages.map(({ sender }) => sender.name),
    messages.map(({ createdAt }) => createdAt),
    messages.map(({ clientMessageId }) => clientMessageId),
    reservations.map((reservation) => reservation?.key),
    reservations.map((reservation) => reservation?.fingerprint),
    reservations.map((reservation) => reservation && JSON.stringify(reservation.response)),
    keysExpireBefore(messages[0]!.createdAt),
    messages.map(({ replyTo }) => replyTo?.messageId),
    messages.map(({ replyTo }) => replyTo?.value),
    messages.map(({ traceparent }) => traceparent),
    messages.map(({ ifOwnerIsBot }) => ifOwnerIsBot),
    messages.map(({ sender }) => sender.isAi),
    waits,
    isNotice,
  ];
}

const SET_FILES = 'UPDATE messages SET files = $4 WHERE organization_id = $1 AND chat_id = $2 AND seq = $3';

// The event begins with ids and a time, so the first such text is the beginning of the message.
const ADD_TO_EVENTS = `
  UPDATE deliveries SET payload = overlay(payload PLACING '"data":{"message":{"files":' || $4 || ','
    FROM strpos(payload, '"data":{"message":{') FOR length('"data":{"message":{'))
  WHERE organization_id = $1 AND receiver_id = ANY ($2) AND id = $3`;

/**
 * Adds the files of a message to its row and its events, in the transaction that has stored it. The statement that stores messages doesn't
 * handle files, so messages without files cost nothing.
 * @param lanes what `appendMessages` returned
 * @param ofEvents the files as receivers of events see them
 */
export async function addFiles(
  client: PoolClient,
  { organizationId, chatId, id, files }: NewMessage,
  { seq, lanes }: { seq: number; lanes: readonly string[] },
  ofEvents: readonly object[],
): Promise<void> {
  await client.query(SET_FILES, [organizationId, chatId, seq, JSON.stringify(files)]);
  if (lanes.length === 0) return;
  await client.query(ADD_TO_EVENTS, [organizationId, lanes, `dlv${id.slice(3)}`, JSON.stringify(ofEvents)]);
}
