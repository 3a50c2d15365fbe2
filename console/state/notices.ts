import { signal } from '@preact/signals';

/** How long a notice stays, in milliseconds. */
const STAYS = 8_000;
const MOST = 4;

/** A line that tells what happened. */
export interface Notice {
  id: number;
  text: string;
  kind: 'news' | 'trouble';
}

export const notices = signal<readonly Notice[]>([]);
let last = 0;

/** Tells the agent something for a while. */
export function notify(text: string, kind: Notice['kind'] = 'news'): void {
  const id = ++last;
  notices.value = [...notices.value.filter((notice) => notice.text !== text).slice(1 - MOST), { id, text, kind }];
  setTimeout(() => dismiss(id), STAYS);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
