import { signal } from '@preact/signals';
import { call, get } from '../../api/request.js';
import type { Row } from '../../api/types.js';
import { Readings } from '../../lib/readings.js';
import { session } from '../session.js';
import { takeRow } from './rows.js';

/** The ids of the chats that this agent follows, last followed first. */
export const followed = signal<readonly string[]>([]);

const readings = new Readings();

/** @throws RequestError */
export function readFollowed(): Promise<void> {
  return readings.read(
    async () => (await get<{ chats: Row[] }>('/followed')).chats,
    (chats) => {
      if (!session.value) return;
      // Known first, so that a row of the read causes no alert.
      for (const row of chats) takeRow(row);
      followed.value = chats.map(({ id }) => id);
    },
  );
}

/** Handles that the agent follows a chat, or no longer does, in any tab. */
export function onFollowed(event: { chatId: string; isFollowed: boolean }): void {
  readings.note(() => onFollowed(event));
  const others = followed.value.filter((id) => id !== event.chatId);
  followed.value = event.isFollowed ? [event.chatId, ...others] : others;
}

/** Follows a chat, or ends that, and takes it back if the service refuses. @throws RequestError */
export async function setFollowed(chatId: string, isFollowed: boolean): Promise<void> {
  // The button changes immediately, so that a second click is the same one.
  onFollowed({ chatId, isFollowed });
  await call(isFollowed ? 'PUT' : 'DELETE', `/chats/${chatId}/followed`).catch((error: unknown) => {
    onFollowed({ chatId, isFollowed: !isFollowed });
    throw error;
  });
}
