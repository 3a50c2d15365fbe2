import { signal } from '@preact/signals';
import type { Message } from '../../../headless/types.js';
import type { Row } from '../../api/types.js';
import { OpenChat } from './chat.js';
import { found } from './found.js';
import { isConnected } from '../connection.js';
import { rowOf } from '../inbox/rows.js';
import { isMine } from '../inbox/views.js';
import { onViewers } from '../inbox/watchers.js';

/** Chats kept in memory, so that they open again without loading. */
const MAX_KEPT = 12;
/** The delay before a failed read is retried. */
const RETRY_MS = 2_000;

/** The chat that is shown. */
export const openChat = signal<OpenChat | null>(null);
/** The last opened chats, oldest first. */
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
  kept = [...kept.filter((other) => other !== chat && other.state.value !== 'gone'), chat].slice(-MAX_KEPT);
  openChat.value = chat;
  if (isConnected.value) catchUp(chat);
}

// If the socket reconnects first, everything is read anyway.
function catchUp(chat: OpenChat): void {
  const again = () => chat === openChat.value && isConnected.value && catchUp(chat);
  chat.catchUp().catch(() => setTimeout(again, RETRY_MS));
}

function leave(chat: OpenChat): void {
  chat.leave();
  if (found.value?.chatId === chat.id) found.value = null;
  const row = rowOf(chat.id);
  // The service no longer sends the viewers of this chat, unless the agent has it.
  if (!row || !isMine(row)) onViewers(chat.id, []);
}

/** Handles an event of a chat that is kept. */
export function receiveOfChat(event: string, payload: Record<string, unknown>): void {
  const chat = kept.find(({ id }) => id === payload.chatId);
  if (!chat) return;
  // Only the open chat is followed. The others receive incomplete events, and catch up when they're opened.
  if (chat === openChat.value || event === 'message:deleted') chat.receive(event, payload);
}

export function onMessageStored(message: Message): void {
  if (openChat.value?.id === message.chatId) openChat.value.add(message);
}

/** Applies a newer row of the open chat. If the agent had lost access to it, it's back. */
export function onRowOfChat(row: Row): void {
  const chat = openChat.value;
  if (chat?.id !== row.id) return;
  chat.takeRow(row);
  if (chat.state.value === 'gone') catchUp(chat);
}

/** Handles that the agent lost access to a chat. While it's open, it's kept: it may come back. */
export function onChatGone(chatId: string): void {
  const chat = kept.find(({ id }) => id === chatId);
  if (chat) chat.state.value = 'gone';
  kept = kept.filter((other) => other !== chat || other === openChat.value);
}

export function forgetChats(): void {
  openChat.value?.typing.reset();
  openChat.value = null;
  kept = [];
}
