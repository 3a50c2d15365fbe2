import { computed, signal } from '@preact/signals';
import { isTransient, RequestError } from '../../../headless/errors.js';
import { JsonStorage } from '../../../headless/json-storage.js';
import { newId, Outbox } from '../../../headless/outbox.js';
import { createOutboxStore, type KeptMessage } from '../../../headless/outbox-store.js';
import type { Message, MessageFile } from '../../../headless/types.js';
import { get, postOnLeaving } from '../../api/request.js';
import type { Batch, Row } from '../../api/types.js';
import { ownName } from '../../lib/service.js';
import { ask, isConnected } from '../connection.js';
import { rowOf } from '../inbox/rows.js';
import { me, session } from '../session.js';
import { STEADY_MS, untouchedSince } from '../steady.js';
import type { Macro } from './macros.js';
import { UNDO_SEND_MS, undoesSend } from './undo-send.js';

/** A message unsent for longer than this is sent only if its author retries it. */
const STALE_AFTER_MS = 5 * 60_000;

/** A message that was written with a connection less than this time ago is sent without asking whether its chat has ended, in milliseconds. */
const FRESH_MS = 2_000;

/** How much later another tab sends a held message whose own tab was closed. */
const OTHER_TAB_MS = 2_000;

/** What the outbox keeps beside a message, and doesn't send. It travels as the message's `metadata`, which agents don't use. */
interface Beside {
  /** What follows once the message is stored. */
  macro?: Macro;
  /** It can be taken back until then, in milliseconds since 1970 by this computer's clock. */
  heldUntil?: number;
  /** Whether the chat had ended when it was written, so that sending it reopens the chat. */
  isReopening?: boolean;
}

/** What a macro knows of its message. */
export interface Sent {
  /** Whether the author has done nothing since, as far as this page knows. */
  isUntouched: () => boolean;
  /** Of a message that was sent while an earlier page closed. If anything followed it, the macro has run, or no longer fits. */
  seq?: number;
}

/** This agent's unconfirmed messages, in all chats. */
export const pending = signal<readonly KeptMessage[]>([]);

/** Messages that weren't sent, and that another tab of this browser has. */
const unsentElsewhere = signal<readonly KeptMessage[]>([]);

/** All of this agent's answers that weren't sent, of every chat and tab, until each is sent or deleted. */
export const unsent = computed(() => [...pending.value.filter(isUnsent), ...unsentElsewhere.value]);

/** Whether another tab has the message: only that tab can send or delete it. */
export function isElsewhere({ clientMessageId }: KeptMessage): boolean {
  return unsentElsewhere.value.some((kept) => kept.clientMessageId === clientMessageId);
}

/** The ids of messages that their author retried on this page. */
const wantedIds = new Set<string>();
/** The ids of messages that were written with a connection, and whose sending hasn't been tried. */
const freshIds = new Set<string>();
/** The ids of messages that an earlier page sent while it closed. */
const leftIds = new Set<string>();
/** By message: whether its author has done nothing since. A reload forgets it. */
const untouched = new Map<string, () => boolean>();
/** Messages that are being sent, and whose macro hasn't run. */
const acting = new Set<KeptMessage>();
const storage = new JsonStorage();
let outbox: Outbox | null = null;
let onStored = (_message: Message): void => undefined;
let onUnsent = (_message: KeptMessage): void => undefined;
let runMacro = (_chatId: string, _macro: Macro, _sent: Sent): Promise<void> => Promise.resolve();

/** Sets the listener for stored messages. */
export function watchStored(listener: (message: Message) => void): void {
  onStored = listener;
}

/** Sets the listener for messages that couldn't be sent. */
export function watchUnsent(listener: (message: KeptMessage) => void): void {
  onUnsent = listener;
}

/** Sets what runs a message's macro. It throws what may succeed later. */
export function watchMacros(run: typeof runMacro): void {
  runMacro = run;
}

/** Loads this agent's unsent messages. Call this after signing in. */
export function openOutbox(): void {
  const { id } = me();
  readLeft(id);
  const store = createOutboxStore(storage, keyOf(id));
  const own = new Outbox(
    { ...store, readOutbox: () => store.readOutbox().map(toResume) },
    { isUp: () => isConnected.value && session.value?.agent.id === id, post: send },
  );
  outbox = own;
  // What an earlier page couldn't send is in the list, and no news.
  pending.value = own.pending.value;
  own.pending.subscribe((messages) => {
    if (outbox !== own) return;
    const before = new Set(unsent.value.map(({ clientMessageId }) => clientMessageId));
    pending.value = messages;
    for (const kept of messages.filter(isUnsent)) if (!before.has(kept.clientMessageId)) onUnsent(kept);
  });
  for (const held of own.pending.value.filter(isHeld)) sendLater(held, OTHER_TAB_MS);
  addEventListener('storage', onOtherTab);
  addEventListener('pagehide', sendOnLeaving);
}

/** Stops sending. Unsent messages stay in the browser. */
export function closeOutbox(): void {
  removeEventListener('storage', onOtherTab);
  removeEventListener('pagehide', sendOnLeaving);
  void outbox?.pause();
  outbox = null;
  pending.value = [];
  unsentElsewhere.value = [];
}

/** Sends waiting messages. Call this after each connect. */
export function resumeOutbox(): void {
  outbox?.resume();
}

/** What a message has beside its words. */
export interface MessageParts {
  files?: MessageFile[];
  /** Whether the chat had ended when the agent sent it. */
  isReopening?: boolean;
}

/** Sends a message, after a moment if the agent wants to be able to take it back. A failure shows in `pending`. */
export function sendMessage(
  chatId: string,
  content: string,
  macro?: Macro,
  { files, isReopening = rowOf(chatId)?.owner === 'NOBODY' }: MessageParts = {},
): void {
  const heldUntil = undoesSend.value ? Date.now() + UNDO_SEND_MS : undefined;
  const beside: Beside = { macro, isReopening, heldUntil };
  const clientMessageId = newId();
  if (isConnected.value) freshIds.add(clientMessageId);
  // Also of a message without a macro: an earlier one's may follow it.
  untouched.set(clientMessageId, untouchedSince());
  void outbox?.add(content, { metadata: { ...beside }, files, clientMessageId }, chatId);
}

/** When the agent last decided about an unsent message, in milliseconds. The next one takes its place. */
let decidedAt = -Infinity;

/** Decides about an unsent message. The second click of a double click does nothing, because another message is below the pointer. */
function decide(work: () => void): void {
  const now = performance.now();
  if (now - decidedAt < STEADY_MS) return;
  decidedAt = now;
  work();
}

export function retryMessage(clientMessageId: string): void {
  decide(() => {
    wantedIds.add(clientMessageId);
    outbox?.retry(clientMessageId);
  });
}

export function discardMessage(clientMessageId: string): void {
  decide(() => outbox?.discard(clientMessageId));
}

/** Deletes the unsent messages of a chat. */
export function forgetUnsent(chatId: string): void {
  for (const kept of pending.value) if (kept.chatId === chatId) outbox?.discard(kept.clientMessageId);
}

/** Whether a message waits so that it can be taken back. */
export function isHeld({ state, error }: KeptMessage): boolean {
  return state === 'failed' && error?.code === 'held';
}

function isUnsent(kept: KeptMessage): boolean {
  return kept.state === 'failed' && !isHeld(kept);
}

/** Takes a held message back. Returns it, or null if it's too late. */
export function takeBack(clientMessageId: string): { content: string; macro?: Macro; files?: MessageFile[] } | null {
  const held = pending.value.find((kept) => kept.clientMessageId === clientMessageId && isHeld(kept));
  if (!held) return null;
  outbox?.discard(clientMessageId);
  return { content: held.content, macro: besideOf(held).macro, files: held.files };
}

/** Sends held messages now: before their chat changes, or before the agent signs out. Resolves when they are stored or refused. */
export async function sendHeld(chatId?: string): Promise<void> {
  const held = pending.value.filter((kept) => isHeld(kept) && (!chatId || kept.chatId === chatId));
  if (held.length === 0 || !isConnected.value) return;
  await Promise.all(held.map(({ clientMessageId }) => release(clientMessageId)));
}

/** Removes a pending message once the chat shows the stored one. */
export function recognizeOwn(message: Message): void {
  if (message.sender.type === 'AGENT' && message.sender.id === session.value?.agent.id) outbox?.recognize(message);
}

/** The ids of held messages that are sent before their time. */
const releasedIds = new Set<string>();

async function release(clientMessageId: string): Promise<void> {
  releasedIds.add(clientMessageId);
  outbox?.retry(clientMessageId);
  // The same id is the same message: this only waits for its result.
  await outbox?.add('', { clientMessageId }).catch(() => undefined);
}

// The message carries its chat, so it never depends on the open chat. If the page closes before the macro has run, the service runs
// it. If that failed, the next page sends the message again, which stores no second one, and runs the macro.
async function send(kept: KeptMessage): Promise<Message> {
  const { chatId = '', clientMessageId } = kept;
  // It may have become stale while the computer slept.
  if (isStale(kept)) throw new RequestError('stale', '');
  const { macro, isReopening } = besideOf(kept);
  if (timeLeft(kept) > 0 && !releasedIds.has(clientMessageId)) {
    sendLater(kept);
    throw new RequestError('held', '');
  }
  if (!isReopening && !isWanted(clientMessageId) && (await hasEnded(kept))) throw new RequestError('ended', '');
  if (macro) acting.add(kept);
  try {
    const { message } = await ask<{ message: Message }>('message:send', { chatId, ...bodyOf(kept) });
    onStored(message);
    if (macro) await runMacro(chatId, macro, sentOf(clientMessageId, message));
    untouched.delete(clientMessageId);
    return message;
  } catch (error) {
    if (leftIds.has(clientMessageId) && (error as RequestError).code === 'not_found') forgetLater(clientMessageId);
    throw error;
  } finally {
    acting.delete(kept);
  }
}

function sentOf(id: string, { seq }: Message): Sent {
  return { isUntouched: untouched.get(id) ?? untouchedSince(), ...(leftIds.has(id) && { seq }) };
}

/** Lets a macro follow the last message that its chat still sends, unless that has its own. Returns whether there is such a message. */
export function handOn(chatId: string, macro: Macro): boolean {
  const last = pending.value.findLast(
    (kept) => kept.chatId === chatId && (kept.state === 'queued' || isHeld(kept)) && kept.metadata,
  );
  // The outbox stores it with its next change: the message that the macro followed is removed.
  if (last) besideOf(last).macro ??= macro;
  return last !== undefined;
}

/** Whether the chat has ended since the message was written. A message that waited may be older than what this page knows. */
async function hasEnded(kept: KeptMessage): Promise<boolean> {
  const { chatId = '', createdAt, clientMessageId } = kept;
  const isFresh = freshIds.delete(clientMessageId) && Date.now() - Date.parse(createdAt) < FRESH_MS;
  if (isFresh && rowOf(chatId)?.owner !== 'NOBODY') return false;
  try {
    const { owner, messageCount } = await get<Row>(`/chats/${chatId}`);
    return owner === 'NOBODY' && !(await isStored(kept, messageCount));
  } catch (error) {
    // The service says why it refuses the message.
    if (isTransient(error)) throw error;
    return false;
  }
}

/** Whether one of a chat's last messages is this one: its answer may have been lost. To send it again is to read its answer. */
async function isStored({ chatId, content, files }: KeptMessage, messageCount: number): Promise<boolean> {
  const { messages } = await get<Batch>(`/chats/${chatId}/messages?beforeSeq=${messageCount + 1}&limit=20`);
  const isSame = (one: Message) => one.content === content && one.files?.[0]?.id === files?.[0]?.id;
  return messages.some((one) => one.sender.id === session.value?.agent.id && isSame(one));
}

/** A message as the service takes it. */
function bodyOf({ content, type, clientMessageId, files }: KeptMessage): object {
  return { content, type, clientMessageId, files: files?.map(({ id }) => id) };
}

/** Forgets a message of an earlier page whose transfer took the chat out of this agent's sight. */
function forgetLater(clientMessageId: string): void {
  setTimeout(() => outbox?.discard(clientMessageId));
}

function sendLater(held: KeptMessage, extraMs = 0): void {
  setTimeout(() => outbox?.retry(held.clientMessageId), timeLeft(held) + extraMs);
}

/** For how long a message can be taken back, in milliseconds. A changed clock makes it no longer. */
function timeLeft(kept: KeptMessage): number {
  return Math.min((besideOf(kept).heldUntil ?? 0) - Date.now(), UNDO_SEND_MS);
}

/** Another tab took a message back, deleted it, or sent it: it's no longer held or listed here. */
function onOtherTab(event: StorageEvent): void {
  const { id } = me();
  if (event.key !== keyOf(id)) return;
  const stored = storage.read<KeptMessage[]>(keyOf(id)) ?? [];
  const kept = new Set(stored.map(({ clientMessageId }) => clientMessageId));
  const own = new Set(pending.value.map(({ clientMessageId }) => clientMessageId));
  unsentElsewhere.value = stored.filter((one) => isUnsent(one) && !own.has(one.clientMessageId));
  for (const { clientMessageId } of pending.value.filter(({ state }) => state === 'failed')) {
    if (!kept.has(clientMessageId)) outbox?.discard(clientMessageId);
  }
}

/** As the page closes, sends held messages and runs pending macros. The next page asks the service whether they arrived. */
function sendOnLeaving(): void {
  const held = pending.value.filter(isHeld);
  const left = [...held, ...acting];
  if (left.length === 0 || !isConnected.value) return;
  storage.write(
    `${keyOf(me().id)}:left`,
    left.map(({ clientMessageId }) => clientMessageId),
  );
  for (const { clientMessageId } of held) void release(clientMessageId);
  for (const kept of left) {
    const { action, actionGroupId } = besideOf(kept).macro ?? {};
    const then = action && { action, actionGroupId: actionGroupId ?? undefined };
    postOnLeaving(`/chats/${kept.chatId}/messages`, { ...bodyOf(kept), ...then });
  }
}

/** What was sent while an earlier page closed isn't stale: most likely it's stored. */
function readLeft(agentId: string): void {
  const key = `${keyOf(agentId)}:left`;
  for (const id of storage.read<string[]>(key) ?? []) leftIds.add(id);
  storage.write(key);
}

const keyOf = (agentId: string) => ownName(`console:${agentId}:outbox`);

function besideOf({ metadata }: KeptMessage): Beside {
  return metadata ?? {};
}

function isWanted(clientMessageId: string): boolean {
  return wantedIds.has(clientMessageId) || leftIds.has(clientMessageId);
}

function isStale({ createdAt, clientMessageId }: KeptMessage): boolean {
  return Date.now() - Date.parse(createdAt) > STALE_AFTER_MS && !isWanted(clientMessageId);
}

function toResume(message: KeptMessage): KeptMessage {
  if (isStale(message)) return { ...message, state: 'failed', error: { code: 'stale', detail: '' } };
  const isOver = isHeld(message) && timeLeft(message) <= 0;
  return isOver ? { ...message, state: 'queued', error: undefined } : message;
}
