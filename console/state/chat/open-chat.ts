import { signal } from '@preact/signals';
import type { Message } from '../../../headless/types.js';
import { OpenChat } from './chat.js';
import { isConnected } from '../connection.js';
import { rowOf } from '../inbox/rows.js';
import { isMine } from '../inbox/views.js';
import { onViewers } from '../inbox/watchers.js';

/** So many chats are kept in memory, so that going back to one shows it at once. */
const KEPT = 12;
/** A chat that could not be read is read again after this, in milliseconds. */
const RETRY = 2_000;

/** The chat that is shown. */
export const openChat = signal<OpenChat | null>(null);
/** The latest ones, the one that was opened last at the end. */
let kept: OpenChat[] = [];

/** Shows a chat, or none. */
export function show(chatId: string | undefined): void {
  const before = openChat.value;
  if (before?.id === chatId) return;
  if (before) leave(before);
  if (chatId === undefined) {
    openChat.value = null;
    return;
  }
  const chat = kept.find(({ id }) => id === chatId) ?? new OpenChat(chatId);
  kept = [...kept.filter((other) => other !== chat), chat].slice(-KEPT);
  openChat.value = chat;
  if (isConnected.value) catchUp(chat);
}

// Whoever is connected by then has it read anyway, with everything else.
function catchUp(chat: OpenChat): void {
  const again = () => chat === openChat.value && isConnected.value && catchUp(chat);
  chat.catchUp().catch(() => setTimeout(again, RETRY));
}

function leave(chat: OpenChat): void {
  chat.leave();
  const row = rowOf(chat.id);
  // Of chats that are neither followed nor one's own nobody tells any more who looks at them.
  if (!row || !isMine(row)) onViewers(chat.id, []);
}

/** Handles an event of a chat that is kept. */
export function receiveOfChat(event: string, payload: Record<string, unknown>): void {
  const chat = kept.find(({ id }) => id === payload.chatId);
  if (!chat) return;
  // What is not shown is not followed: its messages come only while the agent has it, and are read again when it is shown.
  if (chat === openChat.value) chat.receive(event, payload);
}

export function onMessageStored(message: Message): void {
  if (openChat.value?.id === message.chatId) openChat.value.add(message);
}

/** Notes that the agent may not see a chat any more. */
export function onChatGone(chatId: string): void {
  const chat = kept.find(({ id }) => id === chatId);
  if (chat) chat.state.value = 'gone';
  kept = kept.filter((other) => other !== chat);
}

export function forgetChats(): void {
  openChat.value?.typing.reset();
  openChat.value = null;
  kept = [];
}
