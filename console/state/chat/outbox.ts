import { signal } from '@preact/signals';
import { RequestError } from '../../../headless/errors.js';
import { JsonStorage } from '../../../headless/json-storage.js';
import { Outbox } from '../../../headless/outbox.js';
import { createOutboxStore, type KeptMessage } from '../../../headless/outbox-store.js';
import type { Message } from '../../../headless/types.js';
import { ask, isConnected } from '../connection.js';
import { me, session } from '../session.js';

/** A message that was kept unsent for longer than this is sent only when its author says so, in milliseconds. */
const STALE = 5 * 60_000;

/** The messages of this agent that the service has not confirmed, of all chats. */
export const pending = signal<readonly KeptMessage[]>([]);

/** The ids of the messages that their author has sent again on this page. */
const wantedIds = new Set<string>();
let outbox: Outbox | null = null;
let onStored = (_message: Message): void => undefined;

/** Names what is called with each message that the service has stored. */
export function watchStored(listener: (message: Message) => void): void {
  onStored = listener;
}

/** Takes up what this agent has not sent. To be called when somebody has signed in. */
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

/** Stops sending; what is not sent stays in the browser. */
export function closeOutbox(): void {
  void outbox?.pause();
  outbox = null;
  pending.value = [];
}

/** Sends what waits. To be called after each connect. */
export function resumeOutbox(): void {
  outbox?.resume();
}

/** Writes a message into a chat. A failure shows in `pending`. */
export function sendMessage(chatId: string, content: string): void {
  outbox?.add(content, {}, chatId).catch(() => undefined);
}

export function retryMessage(clientMessageId: string): void {
  wantedIds.add(clientMessageId);
  outbox?.retry(clientMessageId);
}

export function discardMessage(clientMessageId: string): void {
  outbox?.discard(clientMessageId);
}

/** Hides the message that is being sent once the chat shows it. */
export function recognizeOwn(message: Message): void {
  if (message.sender.type === 'AGENT' && message.sender.id === session.value?.agent.id) outbox?.recognize(message);
}

// The chat travels with the message from the moment it is written: it never depends on what is open.
async function send(kept: KeptMessage): Promise<Message> {
  // The computer may have slept.
  if (isStale(kept)) throw new RequestError('stale', '');
  const { chatId, content, type, clientMessageId } = kept;
  const { message } = await ask<{ message: Message }>('message:send', { chatId, content, type, clientMessageId });
  onStored(message);
  return message;
}

function isStale({ createdAt, clientMessageId }: KeptMessage): boolean {
  return Date.now() - Date.parse(createdAt) > STALE && !wantedIds.has(clientMessageId);
}

function holdBack(message: KeptMessage): KeptMessage {
  return isStale(message) ? { ...message, state: 'failed', error: { code: 'stale', detail: '' } } : message;
}
