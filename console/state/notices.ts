import { signal } from '@preact/signals';

/** How long a notice stays, without and with an action; longer while the agent is at one. */
const STAYS_MS = 8_000;
const WITH_ACTION_MS = 5_000;
const MAX_NOTICES = 4;
/** A notice's action works this long after it appears: a click or a key may have been meant for what it covers now. */
const STEADY_AFTER_MS = 500;

export interface Notice {
  id: number;
  /** A notice replaces an earlier one with the same key. */
  key: string;
  text: string;
  kind: 'news' | 'trouble';
  action?: NoticeAction;
  /** Whether it no longer holds, so that it isn't shown. It may read signals. */
  isOver?: () => boolean;
  /** Whether it has been shown long enough for its action to work. */
  isSteady: boolean;
}

export interface NoticeAction {
  name: string;
  run: () => unknown;
}

export const notices = signal<readonly Notice[]>([]);
let last = 0;

/** Shows a notice for a while. */
export function notify(text: string, kind: Notice['kind'] = 'news'): void {
  show({ key: text, text, kind }, STAYS_MS);
}

interface ActionOptions {
  /** How long it stays, in milliseconds. */
  stays?: number;
  /** Such as the chat's id; omitted: the text. */
  key?: string;
  isOver?: () => boolean;
}

/** Shows a notice with an action, usually Undo. */
export function notifyWith(text: string, action: NoticeAction, options: ActionOptions = {}): void {
  const { stays = WITH_ACTION_MS, key = text, isOver } = options;
  show({ key, text, kind: 'news', action, isOver }, stays);
}

/** Removes all notices, so that the next agent who signs in doesn't see them. */
export function forgetNotices(): void {
  notices.value = [];
}

function show(notice: Omit<Notice, 'id' | 'isSteady'>, stays: number): void {
  const id = ++last;
  notices.value = [
    ...notices.value.filter(({ key }) => key !== notice.key).slice(1 - MAX_NOTICES),
    { id, ...notice, isSteady: false },
  ];
  setTimeout(() => settle(id), STEADY_AFTER_MS);
  const end = () => (isAttended() ? void setTimeout(end, stays) : dismiss(id));
  setTimeout(end, stays);
}

/** Whether the agent is at the notices: one has the focus or the pointer. */
function isAttended(): boolean {
  return document.querySelector('.notices:is(:hover, :focus-within)') !== null;
}

/** What a key asked for before the notice was steady. */
let waiting: { id: number; run: () => void } | null = null;

function settle(id: number): void {
  notices.value = notices.value.map((notice) => (notice.id === id ? { ...notice, isSteady: true } : notice));
  if (waiting?.id !== id) return;
  waiting.run();
  waiting = null;
}

/** Runs the action of the latest notice that offers one with this name. If the notice has just appeared, it's run a moment later. */
export function runLatest(name: string): void {
  const offered = notices.value.filter(({ action, isOver }) => action?.name === name && !isOver?.());
  const latest = offered.at(-1);
  if (latest?.isSteady) return runAction(latest);
  // The key may have been meant for the one before.
  if (latest && offered.length === 1) waiting = { id: latest.id, run: () => runAction({ ...latest, isSteady: true }) };
}

/** Runs a notice's action, and removes the notice. */
export function runAction({ id, action, isSteady }: Notice): void {
  if (!isSteady || !notices.value.some((notice) => notice.id === id)) return;
  dismiss(id);
  action?.run();
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
