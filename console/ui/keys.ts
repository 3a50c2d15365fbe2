import { declineOffer, switchAccepting } from '../state/actions.js';
import type { Offer, Row } from '../api/types.js';
import { goneFor } from '../lib/gone-field.js';
import { strings } from '../locales/strings.js';
import { offers } from '../state/inbox/offers.js';
import { runLatest } from '../state/notices.js';
import { endSelecting, isSelecting, selectAll, selectedRows, toggleSelected } from '../state/inbox/selection.js';
import { openChat } from '../state/chat/open-chat.js';
import { go, goToChat, route } from '../state/route.js';
import { rowOf } from '../state/inbox/rows.js';
import { isAdmin, isLocked, isSupervisor } from '../state/session.js';
import { chatSubject, noteAct, offerSubject } from '../state/steady.js';
import { neighbor, visibleRows } from '../state/inbox/views.js';
import { draftOf, setDraft } from '../state/chat/drafts.js';
import { actionsOf } from './chat/chat-actions.js';
import { setKind } from './composer/composer-kind.js';
import { ownGroups, placeOfGroup, VIEWS } from './nav/nav.js';
import { takeOffer } from './offer-cards.js';
import type { IconName } from './parts/icon.js';
import { focusComposer, openPalette, overlay, typeAhead } from './screen.js';

/** Keys within this time after typing are ignored if the field was removed: they were meant for it. */
const TYPING_PAUSE_MS = 1_000;

/** The time of the last typed letter, and its field; without one, the field was removed before. */
let typed: { field?: Element; at: number } | null = null;

/** The last key in a field since it got the focus. */
let lastFieldKey = '';

/** Listens to the keys of the whole page. Returns a function that ends it. */
export function listenToKeys(): () => void {
  addEventListener('keydown', onKey);
  addEventListener('focusin', onFocus);
  return () => {
    removeEventListener('keydown', onKey);
    removeEventListener('focusin', onFocus);
  };
}

function onFocus({ target }: Event): void {
  if (isField(target)) lastFieldKey = '';
}

function onKey(event: KeyboardEvent): void {
  if (isField(event.target)) lastFieldKey = event.key;
  if (event.defaultPrevented || event.isComposing || isLocked.value) return;
  const { key, ctrlKey, metaKey, altKey } = event;
  const name = nameOf(event);
  const answer = altKey && !ctrlKey && !metaKey ? OFFER_KEYS[event.code] : undefined;
  if (answer && offers.value.length > 0) return run(event, answer);
  const hasDialog = document.querySelector('dialog[open]') !== null;
  // Dialogs of a page keep all other keys, because they may have unsaved text.
  if (overlay.value === null && hasDialog) return;
  if ((ctrlKey || metaKey) && name.toLowerCase() === 'k') return run(event, openPalette);
  const isLoadingPalette = overlay.value === 'palette' && !hasDialog;
  if (isLoadingPalette && key.length === 1 && !ctrlKey && !metaKey) {
    // These are its first letters.
    typeAhead(key);
    return event.preventDefault();
  }
  if (overlay.value !== null || document.querySelector(':popover-open') || ctrlKey || metaKey) return;
  if (isField(event.target)) {
    typed = key.length === 1 ? { field: event.target, at: event.timeStamp } : null;
    return;
  }
  const isMeantForField =
    (typed && !typed.field?.isConnected && event.timeStamp - typed.at < TYPING_PAUSE_MS) ||
    // Nothing was typed in it yet, or not sent.
    (goneFor(event) < TYPING_PAUSE_MS && lastFieldKey !== 'Enter');
  if (isMeantForField) {
    typed = { at: event.timeStamp };
    // Enter and Space would press the button that has the focus now.
    return event.preventDefault();
  }
  // Some keyboards have brackets only with Option.
  const work = altKey && !'[]'.includes(name) ? undefined : (KEYS[name] ?? keysOfPage()[name]);
  if (work) run(event, work);
}

/** The key's name in the tables. A keyboard with another script's letters has its keys where an English one does. */
function nameOf({ key, code, shiftKey }: KeyboardEvent): string {
  // From Greek on, and before signs such as €.
  if (!/^[\u0370-\u1cff]$/.test(key)) return key;
  const name = code.replace(/^Key|^Digit/, '');
  return shiftKey ? name : name.toLowerCase();
}

/** Keys that go on while they are held. The others act once. */
const REPEATED = ['j', 'k'];

function run(event: KeyboardEvent, work: () => unknown): void {
  event.preventDefault();
  if (event.repeat && !REPEATED.includes(nameOf(event))) return;
  noteAct();
  work();
}

function isField(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement &&
    target.closest('textarea, select, input:not([type=checkbox]), [contenteditable]') !== null
  );
}

const withFirstOffer = (answer: (offer: Offer) => unknown) => () =>
  offerSubject.act(() => offers.value.slice(0, 1).forEach(answer));
const takeFirstOffer = withFirstOffer(takeOffer);
const declineFirstOffer = withFirstOffer(declineOffer);

const OFFER_KEYS: Record<string, () => unknown> = { KeyC: takeFirstOffer, KeyD: declineFirstOffer };

const KEYS: Record<string, () => unknown> = {
  '?': () => (overlay.value = 'keys'),
  p: () => void switchAccepting(),
  z: undo,
  ...Object.fromEntries(
    VIEWS.map(({ view }, index) => [String(index + 1), () => go({ page: 'inbox', place: { view } })]),
  ),
  '8': () => go({ page: 'inbox', place: { view: 'SNOOZED' } }),
  '9': () => go({ page: 'mentions' }),
  '[': () => goToGroup(-1),
  ']': () => goToGroup(1),
  bracketleft: () => goToGroup(-1),
  bracketright: () => goToGroup(1),
  '6': () => isSupervisor() && go({ page: 'overview' }),
  '7': () => isAdmin() && go({ page: 'admin', section: 'people' }),
};

const keysOfPage = () => (route.value.page === 'inbox' ? INBOX_KEYS : PAGE_KEYS);

const PAGE_KEYS: Record<string, () => unknown> = {
  c: takeFirstOffer,
  d: declineFirstOffer,
  n: () => clickOn('n'),
  '/': () => document.querySelector<HTMLElement>('.page input[type=search]')?.focus(),
  Escape: () => clickOn('Escape'),
};

const clickOn = (key: string) => document.querySelector<HTMLElement>(`[data-key=${key}]`)?.click();

const INBOX_KEYS: Record<string, () => unknown> = {
  j: () => move(1),
  k: () => move(-1),
  u: openUnread,
  A: () => void selectAll(),
  Enter: onEnter,
  x: () => withRow((row) => toggleSelected(row.id)),
  X: () => withRow((row) => toggleSelected(row.id, true)),
  Escape: () => (isSelecting.value ? endSelecting() : goToChat(undefined)),
  c: () => (offers.value.length > 0 || !offerSubject.isSteady.value ? takeFirstOffer() : onSelected('c', claimOpen)),
  d: declineFirstOffer,
  e: () => onSelected('e', () => doAction('done')),
  t: () => onSelected('t', () => doAction('transfer')),
  s: () => onSelected('s', () => doAction('snooze')),
  n: () => write('note'),
  r: () => write('message'),
  '/': () => {
    if (!openChat.value) return openPalette();
    write('message');
    const chat = openChat.value;
    if (chat && draftOf(chat.id, 'message') === '') setDraft(chat.id, 'message', '/');
  },
};

/** Presses the button that the key has for the selected chats. Without a selection, acts on the open chat. */
function onSelected(key: string, work: () => void): void {
  if (selectedRows.value.length > 0) clickOn(key);
  else work();
}

/** Opens the next or the previous group of the navigation, the first after the last. */
function goToGroup(step: 1 | -1): void {
  const { value: at } = route;
  const own = ownGroups();
  const here = at.page === 'inbox' ? own.findIndex(({ id }) => id === at.place.groupId) : -1;
  const next = own.at(here === -1 && step === 1 ? 0 : (Math.max(here, 0) + step) % own.length);
  if (next) go({ page: 'inbox', place: placeOfGroup(next) });
}

/** Opens the next chat of the list with messages that no agent has read. */
function openUnread(): void {
  const rows = visibleRows.value;
  const here = rows.findIndex(({ id }) => id === openChat.value?.id) + 1;
  const next = [...rows.slice(here), ...rows.slice(0, here)].find((row) => row.isUnread && row.owner !== 'BOT');
  if (next) goToChat(next.id, openChat.value !== null);
}

function move(step: 1 | -1): void {
  const id = neighbor(openChat.value?.id, step);
  if (id === undefined) return;
  goToChat(id, openChat.value !== null);
  document.querySelector<HTMLElement>(`.row[data-id="${CSS.escape(id)}"]`)?.focus();
}

// Enter activates a focused link or button.
function onEnter(): void {
  const { activeElement } = document;
  const isRow = activeElement?.matches('.row') ?? false;
  if (activeElement instanceof HTMLElement && !isRow && !activeElement.matches('body, .rows'))
    return activeElement.click();
  if (isRow && activeElement?.getAttribute('aria-current') !== 'true') (activeElement as HTMLElement).click();
  focusComposer();
}

/** The latest Undo that a notice offers. */
function undo(): void {
  runLatest(strings.value.undo);
}

function claimOpen(): void {
  // Taking over from a colleague isn't for a key.
  actOnChat((row) => row.owner !== 'AGENT' && act(row, 'claim'));
}

function write(kind: 'message' | 'note'): void {
  const chat = openChat.value;
  if (chat) setKind(chat.id, kind);
  focusComposer();
}

/** Does one of a chat's actions, if this agent can. */
const act = (row: Row, wanted: IconName) =>
  actionsOf(row)
    .find(({ icon }) => icon === wanted)
    ?.run();

const doAction = (wanted: IconName) => actOnChat((row) => act(row, wanted));

/** Acts on the open chat, once it has been shown for a moment. */
function actOnChat(work: (row: Row) => unknown): void {
  const { value: chat } = openChat;
  chatSubject.act(() => chat === openChat.value && withRow(work));
}

function withRow(work: (row: Row) => unknown): void {
  const row = openChat.value && rowOf(openChat.value.id);
  if (row) work(row);
}
