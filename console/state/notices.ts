import { signal } from '@preact/signals';

/** How long a notice stays, in milliseconds, and one that takes something back. */
const STAYS = 8_000;
const UNDO_STAYS = 5_000;
const MOST = 4;

/** A line that tells what happened. */
export interface Notice {
  id: number;
  text: string;
  kind: 'news' | 'trouble';
  /** What can be done about it. */
  action?: NoticeAction;
}

export interface NoticeAction {
  name: string;
  run: () => unknown;
}

export const notices = signal<readonly Notice[]>([]);
let last = 0;

/** Tells the agent something for a while. */
export function notify(text: string, kind: Notice['kind'] = 'news'): void {
  show({ text, kind }, STAYS);
}

/** Tells the agent what was done, and offers to do something about it: to take it back. */
export function notifyWith(text: string, action: NoticeAction, stays = UNDO_STAYS): void {
  show({ text, kind: 'news', action }, stays);
}

function show(notice: Omit<Notice, 'id'>, stays: number): void {
  const id = ++last;
  notices.value = [...notices.value.filter(({ text }) => text !== notice.text).slice(1 - MOST), { id, ...notice }];
  setTimeout(() => dismiss(id), stays);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
