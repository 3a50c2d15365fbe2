import { effect, type Signal, untracked } from '@preact/signals';
import type { Row } from '../api/types.js';
import { ask, isConnected } from '../state/connection.js';
import { closeNotifications, renew } from './browser.js';

/** What it needs of the page. */
export interface PushPage {
  counts: Signal<{ mineUnread: number; mentions: number } | null>;
  watchRows(listener: (before: Row | undefined, row: Row) => void): void;
  goToChat(chatId: string): void;
}

let isKept = false;

/** Reports whether the page is visible, and keeps this browser's push notifications. Call this when an agent signs in. */
export function keepPush({ counts, watchRows, goToChat }: PushPage): void {
  renew().catch(() => undefined);
  if (isKept) return;
  isKept = true;
  document.addEventListener('visibilitychange', report);
  effect(() => {
    if (isConnected.value) untracked(report);
  });
  watchRows((before, row) => {
    if (before?.isUnread && !row.isUnread) closeNotifications(row.id).catch(() => undefined);
  });
  effect(() => {
    const { mineUnread = 0, mentions = 0 } = counts.value ?? {};
    if ('setAppBadge' in navigator) navigator.setAppBadge(mineUnread + mentions).catch(() => undefined);
  });
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ chatId?: string }>) => {
    if (data.chatId !== undefined) goToChat(data.chatId);
  });
}

// Without a connection, the page counts as hidden, and says it again once it's connected.
function report(): void {
  if (!isConnected.value) return;
  ask('visible', { isVisible: document.visibilityState === 'visible' }).catch(() => undefined);
}
