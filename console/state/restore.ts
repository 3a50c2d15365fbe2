import { post } from '../api/request.js';
import type { GoneRow, Row } from '../api/types.js';
import { RequestError } from '../../headless/errors.js';
import { expectChange } from './alerts/alerts.js';
import { sendHeld } from './chat/outbox.js';
import { serverNow } from './clock.js';
import { onAnswered } from './live.js';
import { rowOf } from './inbox/rows.js';
import { isSupervisor, me } from './session.js';
import { fly } from './steady.js';

/** Calls an action of a chat. Returns the chat's new row. @throws RequestError */
export function change(chatId: string, action: string, body: object = {}): Promise<Row | GoneRow> {
  return fly(chatId, async () => {
    await sendHeld(chatId);
    expectChange(chatId);
    const changed = await post<Row | GoneRow>(`/chats/${chatId}/${action}`, body);
    onAnswered(changed);
    return changed;
  });
}

/** A chat before and after it was moved or ended. */
export interface Moved {
  before: Row;
  after: Row | GoneRow;
}

/** Whether this agent can give a chat back. Only supervisors can take one from a colleague, or from a group that they aren't in. */
export function canRestore({ after }: Moved): boolean {
  return isSupervisor() || !('isGone' in after || (after.owner === 'AGENT' && after.assignedTo?.id !== me().id));
}

/**
 * Gives a chat back to its previous owner. If a colleague has taken it since then, it stays with them.
 * @throws RequestError
 */
export async function restore({ before, after }: Moved): Promise<void> {
  const { id, assignedTo } = before;
  const isOwn = assignedTo?.id === me().id;
  const isTaken = holderOf(rowOf(id)) !== ('isGone' in after ? undefined : holderOf(after));
  // The service answers who was faster.
  if (isTaken && isOwn) return void (await change(id, 'claim'));
  if (isTaken) throw new RequestError('conflict', 'Another agent has the chat now');
  // The service knows who had the chat, and its place in the queue.
  const undo = 'owner' in after && after.owner === 'NOBODY';
  const hasEnded = rowOf(id)?.owner === 'NOBODY';
  if (hasEnded || undo) await change(id, 'reopen', { undo });
  if (!hasEnded || !undo || wasReopened(before)) await moveBack(before);
  if (isOwn) await snoozeAsBefore(before);
}

/** Whether the visitor reopened a chat before the service was asked to undo its end. Then the service leaves it as it is. */
function wasReopened({ id, owner, assignedTo }: Row): boolean {
  const now = rowOf(id)?.owner;
  if (now === 'BOT') return owner !== 'BOT';
  // A colleague's chat waits if the colleague can no longer serve it.
  return now === 'QUEUE' && owner === 'AGENT' && assignedTo?.id === me().id;
}

async function snoozeAsBefore(before: Row): Promise<void> {
  const { id } = before;
  const isSnoozed = rowOf(id)?.snooze != null;
  if (before.snooze && !isSnoozed) await snoozeAgain(before);
  if (!before.snooze && isSnoozed) await change(id, 'wake');
}

async function moveBack(before: Row): Promise<void> {
  const { id, owner } = before;
  const now = rowOf(id);
  if (owner === 'BOT' && now?.owner !== 'BOT') await change(id, 'return');
  if (owner === 'AGENT') await toAgent(before, now);
  if (owner === 'QUEUE') await toQueue(before, now);
}

async function toAgent(before: Row, now: Row | undefined): Promise<void> {
  const { id, group, assignedTo, snooze } = before;
  const groupId = group.id;
  // In one step, so that routing can't give it to someone else in its group.
  if (assignedTo?.id === me().id && !holderOf(now)) return void (await change(id, 'claim', { groupId }));
  // Its agent may not be in the group where it is now.
  if (isSupervisor() && now?.group.id !== groupId) await change(id, 'transfer', { groupId });
  if (holderOf(rowOf(id)) === assignedTo?.id) return;
  const snoozed = snooze && { snooze: snoozeBody(before) };
  await change(id, 'assign', { agentId: assignedTo?.id, ...snoozed });
}

function holderOf(row: Row | undefined): string | undefined {
  return row?.owner === 'AGENT' ? row.assignedTo?.id : undefined;
}

// Its time may be over by now, or its visitor may have written.
async function snoozeAgain(before: Row): Promise<void> {
  const until = before.snooze?.until;
  if (until && Date.parse(until) <= serverNow()) return;
  await change(before.id, 'snooze', snoozeBody(before)).catch((error: unknown) => {
    if ((error as RequestError).code !== 'conflict') throw error;
  });
}

/** The visitor's messages after `before` keep it from being snoozed again. */
function snoozeBody({ snooze, messageCount }: Row): object {
  return { until: snooze?.until ?? null, seenSeq: messageCount };
}

async function toQueue({ id, group }: Row, now: Row | undefined): Promise<void> {
  const isInGroup = now?.group.id === group.id;
  if (isInGroup && now.owner === 'QUEUE') return;
  if (isInGroup && holderOf(now) === me().id) await change(id, 'release');
  else await change(id, 'transfer', { groupId: group.id });
}
