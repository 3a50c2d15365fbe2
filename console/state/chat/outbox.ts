import { signal } from '@preact/signals';
import { RequestError } from '../../../headless/errors.js';
import { JsonStorage } from '../../../headless/json-storage.js';
import { Outbox } from '../../../headless/outbox.js';
import { createOutboxStore, type KeptMessage } from '../../../headless/outbox-store.js';
import type { Message } from '../../../headless/types.js';
import { ask, isConnected } from '../connection.js';
import { me, session } from '../session.js';

/** A message unsent for longer than this is sent only if its author retries it. */
const STALE_AFTER_MS = 5 * 60_000;

/** This agent's unconfirmed messages, in all chats. */
export const pending = signal<readonly KeptMessage[]>([]);

/** The ids of messages that their author retried on this page. */
const wantedIds = new Set<string>();
let outbox: Outbox | null = null;
let onStored = (_message: Message): void => undefined;

/** Sets the listener for stored messages. */
export function watchStored(listener: (message: Message) => void): void {
  onStored = listener;
}

/** Loads this agent's unsent messages. Call this after signing in. */
export function openOutbox(): void {
  const { id } = me();
  const store = createOutboxStore(new JsonStorage(), `parley:console:${id}:outbox`);
  const own = new Outbox(
    { ...store, readOutbox: () => store.readOutbox().map(holdBack) },
    { isUp: () => isConnected.value && session.value?.agent.id === id, post: send },
  );
  outbox = own;
  own.pending.subscribe((messages) => {
    if (outbox === own) pending.value = messages;
  });
}

/** Stops sending. Unsent messages stay in the browser. */
export function closeOutbox(): void {
  void outbox?.pause();
  outbox = null;
  pending.value = [];
}

/** Sends waiting messages. Call this after each connect. */
export function resumeOutbox(): void {
  outbox?.resume();
}

/** Sends a message. A failure shows in `pending`. Returns whether it was stored, once that's known. */
export async function sendMessage(chatId: string, content: string): Promise<boolean> {
  return (
    outbox?.add(content, {}, chatId).then(
      () => true,
      () => false,
    ) ?? false
  );
}

export function retryMessage(clientMessageId: string): void {
  wantedIds.add(clientMessageId);
  outbox?.retry(clientMessageId);
}

export function discardMessage(clientMessageId: string): void {
  outbox?.discard(clientMessageId);
}

/** Removes a pending message once the chat shows the stored one. */
export function recognizeOwn(message: Message): void {
  if (message.sender.type === 'AGENT' && message.sender.id === session.value?.agent.id) outbox?.recognize(message);
}

// The message carries its chat, so it never depends on the open chat.
async function send(kept: KeptMessage): Promise<Message> {
  // It may have become stale while the computer slept.
  if (isStale(kept)) throw new RequestError('stale', '');
  const { chatId, content, type, clientMessageId } = kept;
  const { message } = await ask<{ message: Message }>('message:send', { chatId, content, type, clientMessageId });
  onStored(message);
  return message;
}

function isStale({ createdAt, clientMessageId }: KeptMessage): boolean {
  return Date.now() - Date.parse(createdAt) > STALE_AFTER_MS && !wantedIds.has(clientMessageId);
}

function holdBack(message: KeptMessage): KeptMessage {
  return isStale(message) ? { ...message, state: 'failed', error: { code: 'stale', detail: '' } } : message;
}
