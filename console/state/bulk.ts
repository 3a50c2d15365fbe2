import { signal } from '@preact/signals';
import type { GoneRow, Row } from '../api/types.js';
import { plural, strings } from '../locales/strings.js';
import { explain } from './actions.js';
import { endSelecting } from './inbox/selection.js';
import { isMine } from './inbox/views.js';
import { notify, notifyWith } from './notices.js';
import { change, type Moved, restore } from './restore.js';
import { isSupervisor, session } from './session.js';

/** Chats that change at the same time: few, so that others don't wait. */
const AT_ONCE = 2;
/** How long Undo is offered. */
const UNDO_MS = 10_000;

export type BulkAction = 'end' | 'take' | 'move' | 'snooze';

/** How far a run has come; null when none runs. */
export const bulkRun = signal<{ done: number; total: number } | null>(null);
let isStopped = false;

/** Ends the run after the chats that are changing now. */
export function stopBulk(): void {
  isStopped = true;
}

/** Whether this agent may do this with a chat. */
export function allows(action: BulkAction, row: Row): boolean {
  if (action === 'take') return row.owner === 'BOT' || row.owner === 'QUEUE';
  if (action === 'snooze') return isMine(row) && !row.snooze;
  return row.owner !== 'NOBODY' && (isMine(row) || isSupervisor());
}

export function endAll(rows: readonly Row[]): Promise<void> {
  return run('end', rows, ({ id }) => change(id, 'close'));
}

export function takeAll(rows: readonly Row[]): Promise<void> {
  return run('take', rows, ({ id }) => change(id, 'claim'));
}

/** @param target a group or an agent @param note for the next agent */
export function moveAll(rows: readonly Row[], target: object, note: string): Promise<void> {
  const isToAgent = 'agentId' in target;
  return run('move', rows, (row) => {
    if (isToAgent && !isMine(row)) return change(row.id, 'assign', target);
    return change(row.id, 'transfer', { ...target, ...(note && { note }) });
  });
}

/** @param until null: until the visitor answers */
export function snoozeAll(rows: readonly Row[], until: Date | null): Promise<void> {
  return run('snooze', rows, ({ id, messageCount }) =>
    change(id, 'snooze', { until: until?.toISOString() ?? null, seenSeq: messageCount }),
  );
}

/** Changes chats a few at a time. Reports the result in one notice, with Undo. */
async function run(
  action: BulkAction,
  rows: readonly Row[],
  work: (row: Row) => Promise<Row | GoneRow>,
): Promise<void> {
  if (bulkRun.value) return;
  const { changed, failures } = await each(
    rows.filter((row) => allows(action, row)),
    async (before): Promise<Moved> => ({ before, after: await work(before) }),
  );
  if (!session.value) return;
  const { bulkDone, undo } = strings.value;
  const told = [plural(bulkDone[action], changed.length), ...failureWords(failures)].join(' ');
  endSelecting();
  if (changed.length === 0) return notify(told, failures.length > 0 ? 'trouble' : 'news');
  notifyWith(told, { name: undo, run: () => void undoAll(changed) }, { stays: UNDO_MS, key: 'bulk' });
}

async function undoAll(moved: readonly Moved[]): Promise<void> {
  const { changed, failures } = await each(moved, restore);
  if (!session.value) return;
  const told = [plural(strings.value.bulkDone.undo, changed.length), ...failureWords(failures)].join(' ');
  notify(told, failures.length > 0 ? 'trouble' : 'news');
}

interface Outcome<T> {
  changed: T[];
  failures: unknown[];
}

async function each<C, T>(chats: readonly C[], work: (chat: C) => Promise<T>): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { changed: [], failures: [] };
  const waiting = [...chats];
  isStopped = false;
  bulkRun.value = { done: 0, total: chats.length };
  const workOff = async () => {
    for (let chat = waiting.shift(); chat && !isStopped && session.value; chat = waiting.shift()) {
      await work(chat).then(
        (changed) => outcome.changed.push(changed),
        (error: unknown) => outcome.failures.push(error),
      );
      bulkRun.value = { done: outcome.changed.length + outcome.failures.length, total: chats.length };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOff));
  bulkRun.value = null;
  return outcome;
}

/** How many chats failed, with the reason of the first one. */
function failureWords(failures: readonly unknown[]): string[] {
  if (failures.length === 0) return [];
  return [plural(strings.value.bulkFailed, failures.length), explain(failures[0])];
}
