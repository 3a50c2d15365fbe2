import { signal } from '@preact/signals';

/** How long a notice stays, in milliseconds, and how long one with an action does. */
const STAYS = 8_000;
const UNDO_STAYS = 5_000;
const MOST = 4;

/** A line that says what happened. */
export interface Notice {
  id: number;
  /** A notice replaces an earlier one with the same key. */
  key: string;
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
  show({ key: text, text, kind }, STAYS);
}

interface ActionOptions {
  /** How long it stays, in milliseconds. */
  stays?: number;
  /** Such as the chat's id; omitted: the text. */
  key?: string;
}

/** Tells the agent what happened, and offers an action: usually to undo it. */
export function notifyWith(text: string, action: NoticeAction, options: ActionOptions = {}): void {
  const { stays = UNDO_STAYS, key = text } = options;
  show({ key, text, kind: 'news', action }, stays);
}

/** Removes all notices, so that the next agent who signs in doesn't see them. */
export function forgetNotices(): void {
  notices.value = [];
}

function show(notice: Omit<Notice, 'id'>, stays: number): void {
  const id = ++last;
  notices.value = [...notices.value.filter(({ key }) => key !== notice.key).slice(1 - MOST), { id, ...notice }];
  setTimeout(() => dismiss(id), stays);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
