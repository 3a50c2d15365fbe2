import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { isTransient } from '../../headless/errors.js';
import { forgetAnswers, get } from '../api/request.js';
import type { Sender } from '../../headless/types.js';
import type { EndReason, GoneRow, Mention, Named, Offer, Row } from '../api/types.js';
import { alertMention } from './alerts/alerts.js';
import { throttled } from '../lib/throttled.js';
import { connect, disconnect, isConnected } from './connection.js';
import { setServerNow } from './clock.js';
import { counts, groups, readCounts, readCountsSoon, readGroups, recount } from './inbox/counts.js';
import { followed, onFollowed, readFollowed } from './inbox/followed.js';
import { forgetNotices, notify, notifyWith } from './notices.js';
import { forgetOffers, onOffer, onOfferEnded, readOffers } from './inbox/offers.js';
import { forgetChats, onChatGone, onMessageStored, onRowOfChat, openChat, receiveOfChat } from './chat/open-chat.js';
import { closeOutbox, forgetUnsent, openOutbox, pending, resumeOutbox, watchStored } from './chat/outbox.js';
import { closeSavingNotes, forgetNotes, openSavingNotes } from './chat/saving-notes.js';
import { onPresence, people, readMe, readPeople } from './people.js';
import { keepMacros } from './chat/macros.js';
import { forgetReplies } from './chat/replies.js';
import { forgetRows, takeRow, watchRows } from './inbox/rows.js';
import { endSelecting } from './inbox/selection.js';
import { goToChat } from './route.js';
import { inFlight } from './steady.js';
import { filesCode, hasDraft } from './chat/draft-files.js';
import { forgetDrafts, prefixOf } from './chat/drafts.js';
import { fill } from '../../headless/text.js';
import { shortened, shortName } from '../lib/names.js';
import { strings } from '../locales/strings.js';
import { isLocked, me, onSessionEnded, PROFILE_CHANNEL, session } from './session.js';
import { forgetViews, isMine, placeRow, readAgain, readSnoozed } from './inbox/views.js';
import { forgetWatchers, onTyping, onViewers } from './inbox/watchers.js';

/** The minimum time between two reads of everything. */
const READ_EVERY_MS = 1_000;
/** The minimum time between two updates of rows from the socket: in a busy team, each update alone would cost the page a frame. */
const ROWS_EVERY_MS = 100;

/** Rows from the socket that aren't stored yet, in order. */
const received: (Row | GoneRow)[] = [];

/** Whether everything was read since the last connect. */
const isRead = signal(false);

/** The service's time when it last said that lists, groups, or colleagues may have changed. */
export const staleAt = signal<unknown>(null);

/** Whether the page is up to date. */
export const isSure = computed(() => isConnected.value && isRead.value);

const readAll = throttled(async () => {
  if (!session.value || !isConnected.value) return;
  const chat = openChat.value;
  const reads = [readAgain(), readCounts().then(readSnoozedOnes), readOffers(), readGroups(), readPeople(), readMe()];
  reads.push(readFollowed());
  if (chat) reads.push(chat.catchUp());
  const settled = await Promise.allSettled(reads);
  // Retrying doesn't help with what the agent may not see or what doesn't exist.
  const isDone = settled.every((one) => one.status === 'fulfilled' || !isTransient(one.reason));
  if (isDone) isRead.value = isConnected.value;
  else if (isConnected.value) setTimeout(readAll, 2 * READ_EVERY_MS);
}, READ_EVERY_MS);

async function readSnoozedOnes(): Promise<void> {
  if (counts.value?.snoozed) await readSnoozed();
}

/** Keeps the page live while an agent is signed in. Call this once. */
export function keepLive(): void {
  watchStored(onMessageStored);
  keepMacros();
  watchRows(onTaken);
  new BroadcastChannel(PROFILE_CHANNEL).onmessage = readAll;
  effect(() => {
    if (isConnected.value) return;
    isRead.value = false;
    forgetWatchers();
  });
  const agentId = computed(() => session.value?.agent.id);
  effect(() => {
    const isIn = agentId.value !== undefined && !isLocked.value;
    untracked(isIn ? goLive : disconnect);
  });
  effect(() => {
    const id = agentId.value;
    untracked(() => (id === undefined ? leave() : enter()));
  });
}

function goLive(): void {
  connect({
    // Missed data is read on `inbox:stale`, which the service sends once this socket receives all events.
    onConnect: resumeOutbox,
    onRefused: () => onSessionEnded('EXPIRED'),
    onEvent: receive,
  });
}

function enter(): void {
  openOutbox();
  openSavingNotes();
  void import('./later.js')
    .then(({ startLater }) =>
      startLater({ counts, watchRows, goToChat, drafts: prefixOf(me().id), pending, forgetChat, get }),
    )
    .catch(() => undefined);
}

function leave(): void {
  received.length = 0;
  forgetAnswers();
  closeOutbox();
  closeSavingNotes();
  filesCode.peek()?.closeDrafts();
  forgetChats();
  forgetViews();
  endSelecting();
  forgetRows();
  forgetReplies();
  forgetWatchers();
  forgetNotices();
  forgetOffers();
  people.value = [];
  groups.value = [];
  counts.value = null;
  followed.value = [];
}

function receive(event: string, payload: Record<string, unknown>): void {
  if (event === 'chat') receiveRow(payload as unknown as Row | GoneRow);
  else if (event === 'offer') onOffer(payload as unknown as Offer);
  else if (event === 'offer:ended') onOfferEnded(payload as { id: string; reason?: string });
  else if (event === 'mention') onMention(payload as unknown as Mention);
  else if (event === 'mentions:seen') readCountsSoon();
  else if (event === 'followed') onFollowed(payload as never);
  else if (event === 'presence') onPresence(payload as never);
  else if (event === 'inbox:stale') {
    setServerNow((staleAt.value = payload.now));
    readAll();
  } else if (event === 'session:ended') onSessionEnded(payload.reason as EndReason);
  else {
    const { chatId } = payload as { chatId: string };
    if (event === 'viewers') onViewers(chatId, payload.agents as Named[]);
    if (event === 'typing') onTyping(chatId, payload.sender as Sender, Boolean(payload.isTyping));
    receiveOfChat(event, payload);
  }
}

function onMention(mention: Mention): void {
  readCountsSoon();
  void alertMention(mention);
}

function receiveRow(row: Row | GoneRow): void {
  received.push(row);
  // The browser holds back the timers of a hidden page, and alerts would be late.
  if (document.hidden) takeReceived();
  else takeReceivedSoon();
}

function takeReceived(): void {
  batch(() => received.splice(0).forEach(onRow));
}

const takeReceivedSoon = throttled(async () => takeReceived(), ROWS_EVERY_MS);

function onRow(row: Row | GoneRow): void {
  const before = takeRow(row);
  if (before === false) return;
  if ('isGone' in row) {
    onChatGone(row.id);
    if (row.isRemoved) forgetChat(row.id);
    return recount(before, undefined);
  }
  placeRow(row);
  recount(before, row);
  onRowOfChat(row);
}

/** Deletes what this browser has of an erased chat. */
function forgetChat(chatId: string): void {
  forgetDrafts(chatId);
  forgetUnsent(chatId);
  forgetNotes(chatId);
}

/** A chat of this agent is someone else's now, or waits. What the agent did here is known here. */
function onTaken(before: Row | undefined, row: Row): void {
  if (!session.value || !before || !isMine(before) || isMine(row)) return;
  const isOpen = openChat.value?.id === row.id;
  if (inFlight.value.has(row.id) || row.owner === 'NOBODY' || (!isOpen && !hasDraft(row.id))) return;
  const { takenAway, movedAway, draftKept, openChat: open } = strings.value;
  const name = shortName(row);
  const told = row.assignedTo
    ? fill(takenAway, { name, agent: shortened(row.assignedTo.name) })
    : fill(movedAway, { name });
  const words = hasDraft(row.id) ? `${told} ${draftKept}` : told;
  if (isOpen) notify(words);
  else notifyWith(words, { name: open, run: () => goToChat(row.id) }, { key: row.id });
}

/** Applies the row that an action returned, like one from the socket. */
export const onAnswered = onRow;
