import { isTransient } from '../../headless/errors.js';
import type { GoneRow, Row } from '../api/types.js';
import { Pace } from '../lib/pace.js';
import { plural, strings } from '../locales/strings.js';
import { explain } from './explain.js';
import { bulkRun, select } from './inbox/selection.js';
import { isMine } from './inbox/views.js';
import { notify, notifyWith } from './notices.js';
import { canRestore, change, type Moved, restore } from './restore.js';
import { isSupervisor, me, session } from './session.js';

/** How long Undo is offered. */
const UNDO_MS = 10_000;

export type BulkAction = 'end' | 'take' | 'move' | 'snooze';

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
  return run('move', rows, ({ id }) => change(id, 'transfer', { ...target, ...(note && { note }) }));
}

/** @param until null: until the visitor answers */
export function snoozeAll(rows: readonly Row[], until: Date | null): Promise<void> {
  return run('snooze', rows, ({ id, messageCount }) =>
    change(id, 'snooze', { until: until?.toISOString() ?? null, seenSeq: messageCount }),
  );
}

/** Changes chats one after the other. Reports the result in one notice, with Undo. */
async function run(
  action: BulkAction,
  rows: readonly Row[],
  work: (row: Row) => Promise<Row | GoneRow>,
): Promise<void> {
  if (bulkRun.value) return;
  const outcome = await each(
    rows.filter((row) => allows(action, row)),
    async (before): Promise<Moved> => ({ before, after: await work(before) }),
  );
  const { changed, failures, left } = outcome;
  if (!outcome.isOwn) return;
  const { bulkDone, undo } = strings.value;
  const told = [plural(bulkDone[action], changed.length), ...failureWords(outcome)].join(' ');
  select(left.map(({ id }) => id));
  const restorable = changed.filter(canRestore);
  if (restorable.length === 0) return notify(told, failures.length > 0 ? 'trouble' : 'news');
  notifyWith(told, { name: undo, run: () => void undoAll(restorable) }, { stays: UNDO_MS, key: 'bulk' });
}

async function undoAll(moved: readonly Moved[]): Promise<void> {
  const outcome = await each(moved, restore);
  const { changed, failures, left } = outcome;
  if (!outcome.isOwn) return;
  const { bulkDone, undo } = strings.value;
  const told = [plural(bulkDone.undo, changed.length), ...failureWords(outcome)].join(' ');
  if (left.length > 0)
    return notifyWith(told, { name: undo, run: () => void undoAll(left) }, { stays: UNDO_MS, key: 'bulk' });
  notify(told, failures.length > 0 ? 'trouble' : 'news');
}

interface Outcome<C, T> {
  changed: T[];
  failures: unknown[];
  /** How many chats didn't change. */
  stayed: number;
  /** The chats that can be tried again. */
  left: C[];
  /** Whether the agent who began it is still signed in. */
  isOwn: boolean;
}

async function each<C, T>(chats: readonly C[], work: (chat: C) => Promise<T>): Promise<Outcome<C, T>> {
  const waiting = [...chats];
  const { id } = me();
  const pace = new Pace();
  const outcome: Outcome<C, T> = { changed: [], failures: [], stayed: 0, left: waiting, isOwn: true };
  isStopped = false;
  bulkRun.value = { done: 0, total: chats.length };
  while (waiting.length > 0 && !isStopped && isMe(id)) {
    const chat = waiting.shift()!;
    const begin = performance.now();
    await work(chat).then(
      (changed) => void outcome.changed.push(changed),
      (error: unknown) => {
        outcome.failures.push(error);
        if (!isTransient(error)) return;
        // The others would fail too.
        isStopped = true;
        waiting.push(chat);
      },
    );
    bulkRun.value = { done: outcome.changed.length + outcome.failures.length, total: chats.length };
    const pause = pace.pauseAfter(performance.now() - begin);
    if (waiting.length > 0 && !isStopped) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  bulkRun.value = null;
  outcome.stayed = chats.length - outcome.changed.length;
  outcome.isOwn = isMe(id);
  return outcome;
}

/** Whether the agent is still the one who is signed in: another one may have signed in in another tab. */
function isMe(agentId: string): boolean {
  return session.value?.agent.id === agentId;
}

/** How many chats didn't change, with the reason of the first one. */
function failureWords({ failures, stayed }: Outcome<unknown, unknown>): string[] {
  if (failures.length === 0) return [];
  return [plural(strings.value.bulkFailed, stayed), explain(failures[0])];
}
