import type { KeptMessage } from '../../headless/outbox-store.js';
import { hasCode, isTransient } from '../../headless/errors.js';
import { get } from '../api/request.js';
import type { Break, GoneRow, Row } from '../api/types.js';
import { fill } from '../../headless/text.js';
import { shortName, snoozeWords } from '../lib/names.js';
import { strings } from '../locales/strings.js';
import { expectChange } from './alerts/alerts.js';
import { onAnswered } from './live.js';
import { giveBackFiles, hasDraft } from './chat/draft-files.js';
import { draftOf, setDraft } from './chat/drafts.js';
import { type Macro, setMacro } from './chat/macros.js';
import { handOn, type Sent, takeBack as takeBackMessage } from './chat/outbox.js';
import { groupOf } from './inbox/counts.js';
import { setFollowed } from './inbox/followed.js';
import { notify, notifyWith } from './notices.js';
import { accept, decline } from './inbox/offers.js';
import type { Offer } from '../api/types.js';
import { explain } from './explain.js';
import { setAccepting } from './people.js';
import { rowOf } from './inbox/rows.js';
import { go, goToChat, route } from './route.js';
import { canRestore, change, type Moved, restore } from './restore.js';
import { me } from './session.js';
import { fly, inFlight, untouchedSince } from './steady.js';
import { isMine, neighbor, visibleRows } from './inbox/views.js';

/** Runs an action of a chat or an offer, and shows its error as a notice. Null: it failed, or another one is in flight. */
async function once<T>(id: string, work: () => Promise<T>): Promise<T | null> {
  if (inFlight.value.has(id)) return null;
  try {
    return await fly(id, work);
  } catch (error) {
    notify(explain(error), 'trouble');
    return null;
  }
}

/** Calls an action of a chat. Returns the chat's new row, or null if it failed. */
function tryTo(chatId: string, action: string, body: object = {}): Promise<Row | GoneRow | null> {
  return once(chatId, () => change(chatId, action, body));
}

/** Calls an action of a chat. Returns whether it succeeded. */
async function act(chatId: string, action: string, body: object = {}): Promise<boolean> {
  return (await tryTo(chatId, action, body)) !== null;
}

/** Claims a chat, and opens it in Mine. Returns whether it's open. */
export async function claim(row: Row): Promise<boolean> {
  const isUntouched = untouchedSince();
  return (await act(row.id, 'claim')) && openTaken(row, isUntouched);
}

/** Opens a chat that the agent has now, or offers to open it if the agent is doing something else by then. Returns whether it's open. */
function openTaken(row: Row, isUntouched: () => boolean): boolean {
  const open = (isChosen: boolean) => go({ page: 'inbox', place: { view: 'MINE' }, chatId: row.id }, false, isChosen);
  const { value: at } = route;
  // What is typed in a dialog would be lost with the page.
  const mayOpen = isUntouched() && document.querySelector('dialog[open]') === null;
  const { takenNow, openChat } = strings.value;
  if (mayOpen || (at.page === 'inbox' && at.chatId === row.id)) open(false);
  else notifyWith(fill(takenNow, { name: shortName(row) }), { name: openChat, run: () => open(true) }, { key: row.id });
  return mayOpen;
}

/** Puts a chat back into the queue, and opens the next one of the list. */
export async function release(chatId: string): Promise<boolean> {
  const isUntouched = untouchedSince();
  const isDone = await act(chatId, 'release');
  if (isDone && isUntouched()) goOnFrom(chatId);
  return isDone;
}

/** Ends a chat, opens the next one of the list, and offers Undo. */
export async function endChat(row: Row): Promise<void> {
  const isUntouched = untouchedSince();
  const after = await tryTo(row.id, 'close');
  if (after) onEnded(row, after, isUntouched);
}

function onEnded(row: Row, after: Row | GoneRow, isUntouched: () => boolean): void {
  const { id } = row;
  const { undo, closedNow } = strings.value;
  const told = fill(closedNow, { name: shortName(row) });
  notifyWith(told, { name: undo, run: () => void takeBack({ before: row, after }) }, { key: id });
  if (isUntouched()) goOnFrom(id);
}

/** Gives a chat back to the one who had it before, and shows it if the agent has done nothing since. */
async function takeBack(moved: Moved): Promise<void> {
  const { before } = moved;
  const isUntouched = untouchedSince();
  const isBack = await once(before.id, () => restore(moved).then(() => true));
  if (!isBack) return;
  if (isUntouched()) return goToChat(before.id, false, false);
  const { backNow, openChat } = strings.value;
  notifyWith(fill(backNow, { name: shortName(before) }), { name: openChat, run: () => goToChat(before.id) });
}

/** Opens the chat that took the place of one that left the list. */
function goOnFrom(chatId: string): void {
  const { value: at } = route;
  const isLeft = !visibleRows.value.some(({ id }) => id === chatId);
  const next = isLeft && neighbor(chatId, 1);
  if (next && at.page === 'inbox' && at.chatId === chatId) goToChat(next, true, false);
}

/** Snoozes a chat, opens the next one of the list, and offers Undo. @param until null: until the visitor answers */
export async function snooze(row: Row, until: Date | null): Promise<void> {
  const { id } = row;
  const seenSeq = rowOf(id)?.messageCount ?? row.messageCount;
  const isUntouched = untouchedSince();
  const after = await tryTo(id, 'snooze', { until: until?.toISOString() ?? null, seenSeq });
  if (!after || 'isGone' in after) return;
  notifyWith(snoozeWords(after), { name: strings.value.undo, run: () => void wake(id) }, { key: id });
  if (isUntouched()) goOnFrom(id);
}

export const wake = (chatId: string): Promise<boolean> => act(chatId, 'wake');

export const reopen = (chatId: string): Promise<boolean> => act(chatId, 'reopen');

/** Returns a chat to the bot, opens the next one of the list, and offers Undo. @param note for the bot */
export async function returnChat(row: Row, note: string): Promise<boolean> {
  const isUntouched = untouchedSince();
  const changed = await tryTo(row.id, 'return', note ? { note } : {});
  if (changed) onMoved(row, changed, strings.value.returned, isUntouched);
  return changed !== null;
}

/** Where a chat goes: to a group, or to a colleague. */
export type Target = { groupId: string } | { agentId: string };

export const transfer = (chatId: string, target: Target): Promise<boolean> => act(chatId, 'transfer', target);

/** Transfers a chat, opens the next one of the list, and offers Undo. @param name of the target @param note for the next agent */
export async function transferChat(row: Row, target: Target, name: string, note: string): Promise<boolean> {
  const isUntouched = untouchedSince();
  const changed = await tryTo(row.id, 'transfer', { ...target, ...(note && { note }) });
  if (changed) onMoved(row, changed, fill(strings.value.transferred, { name }), isUntouched);
  return changed !== null;
}

/**
 * Runs what follows a message that is stored now. If it has run already, nothing happens.
 * @throws RequestError if it may succeed later
 */
export async function runMacro(chatId: string, macro: Macro, { isUntouched, seq = Infinity }: Sent): Promise<void> {
  const { action, actionGroupId } = macro;
  const row = await get<Row>(`/chats/${chatId}`);
  const isDone = action === 'CLOSE' ? row.owner === 'NOBODY' : row.group.id === actionGroupId && row.owner === 'QUEUE';
  if (isDone || row.messageCount > seq) return;
  if (!isMine(row)) return notify(strings.value.whyNotYoursNow, 'trouble');
  // More was written since: the action waits until that is sent too.
  if (handOn(chatId, macro)) return;
  if (hasDraft(chatId)) return setMacro(chatId, macro);
  try {
    if (action === 'CLOSE') onEnded(row, await change(chatId, 'close'), isUntouched);
    else {
      const moved = await change(chatId, 'transfer', { groupId: actionGroupId });
      const { name = '' } = groupOf(actionGroupId ?? '') ?? {};
      onMoved(row, moved, fill(strings.value.transferred, { name }), isUntouched);
    }
  } catch (error) {
    if (isTransient(error)) throw error;
    // The message is stored, so the chat is visible: what doesn't exist is the group.
    notify(hasCode(error, 'not_found') ? strings.value.macroGroupGone : explain(error), 'trouble');
  }
}

/** Says that an answer wasn't sent, unless its chat is open and shows that. */
export async function tellUnsent({ chatId = '', clientMessageId }: KeptMessage): Promise<void> {
  const { value: at } = route;
  if (at.page === 'inbox' && at.chatId === chatId) return;
  const { notSentTo, openChat, unnamed } = strings.value;
  // No list may have the chat's row.
  const row = rowOf(chatId) ?? (await get<Row>(`/chats/${chatId}`).catch(() => null));
  const open = () => go({ page: 'inbox', place: { view: 'MINE' }, chatId });
  const told = fill(notSentTo, { name: row ? shortName(row) : unnamed });
  notifyWith(told, { name: openChat, run: open }, { key: clientMessageId });
}

/** Takes a message back into the field, in front of what was typed since. */
export function undoSend(chatId: string, clientMessageId: string): void {
  const message = takeBackMessage(clientMessageId);
  if (!message) return;
  setDraft(chatId, 'message', [message.content, draftOf(chatId, 'message')].filter(Boolean).join('\n'));
  setMacro(chatId, message.macro);
  void giveBackFiles(chatId, 'message', message.files);
}

/** Says that a chat was moved, and opens the next one of the list. Undo is offered if this agent can take it back. */
function onMoved(before: Row, after: Row | GoneRow, told: string, isUntouched: () => boolean): void {
  if (isUntouched()) goOnFrom(before.id);
  if (!isMine(before) || !canRestore({ before, after })) return notify(told);
  notifyWith(told, { name: strings.value.undo, run: () => void takeBack({ before, after }) }, { key: before.id });
}

/** Accepts an offer, and opens the chat. Returns whether it's open. */
export async function acceptOffer(offer: Offer): Promise<boolean> {
  const isUntouched = untouchedSince();
  const row = await once(offer.id, () => {
    expectChange(offer.chat.id);
    return accept(offer);
  });
  if (!row) return false;
  onAnswered(row);
  return openTaken(row, isUntouched);
}

export async function declineOffer(offer: Offer): Promise<void> {
  await once(offer.id, () => decline(offer));
}

export async function follow(chatId: string, isWanted: boolean): Promise<void> {
  await setFollowed(chatId, isWanted).catch((error: unknown) => notify(explain(error), 'trouble'));
}

export async function accepts(isAccepting: boolean, reason?: Break): Promise<void> {
  await once(me().id, () => setAccepting(isAccepting, reason));
}

/** Pauses or resumes by a key, and shows a notice, because nothing else confirms it. */
export async function switchAccepting(): Promise<void> {
  const before = me().isAccepting;
  await accepts(!before);
  if (me().isAccepting === before) return;
  const { undo, pausedNow, acceptingNow } = strings.value;
  notifyWith(before ? pausedNow : acceptingNow, { name: undo, run: () => void accepts(before) });
}
