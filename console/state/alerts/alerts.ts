import { computed, effect, signal } from '@preact/signals';
import plainIcon from '../../favicon.svg';
import type { Mention, Offer, Row } from '../../api/types.js';
import { fill } from '../../../headless/text.js';
import { type AlertKind, alertOf } from '../../lib/alert.js';
import { lastWords, visitorName } from '../../lib/names.js';
import { holdName, isNameHeld, onceInBrowser } from '../../lib/once.js';
import { ownName, PUSH_KEY } from '../../lib/service.js';
import { strings } from '../../locales/strings.js';
import { serverNow } from '../clock.js';
import { counts } from '../inbox/counts.js';
import { notifyWith } from '../notices.js';
import { followed } from '../inbox/followed.js';
import { offers, watchOffers } from '../inbox/offers.js';
import { go, route } from '../route.js';
import { rowOf, watchRows } from '../inbox/rows.js';
import { session } from '../session.js';
import { allowSound, keepSound, sound } from './sound.js';
import type { Place } from '../inbox/views.js';

const KINDS_KEY = ownName('console:alerts');
/** For this long after one tab's alert, no other tab repeats it: tabs receive events at different times. */
const NO_REPEAT_MS = 30_000;
/** How long the notice of a missed offer stays: the agent is usually elsewhere. */
const MISSED_STAYS_MS = 60_000;
/** Row changes within this time after the agent's own action cause no alert. */
const OWN_ACTION_MS = 10_000;

/** The enabled alerts. */
export const wantedAlerts = signal<Readonly<Record<AlertKind, boolean>>>(readWishes());
export const notificationPermission = signal(readPermission());

/** Whether this page is visible and has the focus. */
export const isHere = signal(readHere());
/** Whether this page is visible, with or without the focus. */
const isVisible = signal(readVisible());
/** When the agent last acted on a chat, in this tab or another, by chat id. */
const acted = new Map<string, number>();
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(ownName('console')) : null;

const HERE = ownName('here');
const VISIBLE = ownName('visible');
const looksAt = (chatId: string) => ownName(`looks:${chatId}`);

/** Starts alerts outside of the page: title, icon, sound, desktop notifications. Call this once. */
export function keepAlert(): void {
  keepSound();
  keepLooking();
  addEventListener('storage', ({ key }) => {
    if (key === KINDS_KEY) wantedAlerts.value = readWishes();
  });
  if (channel) channel.onmessage = ({ data }) => acted.set(String(data), Date.now());
  watchOffers((offer) => void onNewOffer(offer), onMissedOffer);
  watchRows((before, row) => void onRow(before, row));
  effect(() => {
    const text = strings.value;
    const [first] = offers.value;
    const waiting = wantedAlerts.value.waiting ? (counts.value?.waiting ?? 0) : 0;
    const news = (counts.value?.mineUnread ?? 0) + (counts.value?.mentions ?? 0) + offers.value.length + waiting;
    const title = first ? fill(text.offerTitle, { name: visitorName(first.chat) }) : pageName();
    document.title = `${news > 0 ? `(${news}) ` : ''}${title} · ${text.console}`;
    document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href = iconOf(news);
  });
}

/** Suppresses alerts for the agent's own action. Call this before the request. */
export function expectChange(chatId: string): void {
  acted.set(chatId, Date.now());
  channel?.postMessage(chatId);
}

export function setAlert(kind: AlertKind, wanted: boolean): void {
  wantedAlerts.value = { ...wantedAlerts.value, [kind]: wanted };
  try {
    localStorage.setItem(KINDS_KEY, JSON.stringify(wantedAlerts.value));
  } catch {
    // The choice holds as long as the page.
  }
}

/** Requests permission for desktop notifications. Call this from a click. */
export async function askForNotifications(): Promise<void> {
  if ('Notification' in globalThis) notificationPermission.value = await Notification.requestPermission();
}

/** Plays the sound and, if the browser allows it, shows a notification as a demonstration. Call this from a click. */
export async function testAlert(): Promise<void> {
  // The click may be the first one.
  await allowSound();
  sound();
  // The agent may have changed it in the browser's settings.
  notificationPermission.value = readPermission();
  if (notificationPermission.value === 'default') await askForNotifications();
  const text = strings.value;
  if (notificationPermission.value === 'granted')
    notice({ key: 'test', title: text.testAlert, body: text.testAlertBody });
}

function readPermission(): NotificationPermission {
  return 'Notification' in globalThis ? Notification.permission : 'denied';
}

/** Whether the service notifies this agent in this browser while no page is visible. */
function hasPush(): boolean {
  try {
    return localStorage.getItem(PUSH_KEY) === session.value?.agent.id;
  } catch {
    return false;
  }
}

function iconOf(news: number): string {
  if (news === 0) return plainIcon;
  return new URL(`../../favicons/${news > 9 ? 'more' : news}.svg`, import.meta.url).href;
}

function pageName(): string {
  const { value: at } = route;
  if (at.page === 'overview' || at.page === 'reports' || at.page === 'mentions') return strings.value[at.page];
  if (at.page === 'replies') return strings.value.ownReplies;
  return at.page === 'admin' ? strings.value.section[at.section] : strings.value.inbox;
}

/** Shares with other tabs whether the agent is here, and which chat they view. */
function keepLooking(): void {
  const update = () => {
    isHere.value = readHere();
    isVisible.value = readVisible();
  };
  document.addEventListener('visibilitychange', update);
  for (const event of ['focus', 'blur']) addEventListener(event, update);
  effect(() => (isHere.value ? holdName(HERE) : undefined));
  effect(() => (isVisible.value ? holdName(VISIBLE) : undefined));
  const chatId = computed(() => (isHere.value && route.value.page === 'inbox' ? route.value.chatId : undefined));
  effect(() => (chatId.value === undefined ? undefined : holdName(looksAt(chatId.value))));
}

async function onNewOffer({ id, chat }: Offer): Promise<void> {
  if (!wantedAlerts.value.offers) return;
  const { newOffer } = strings.value;
  await alert({ key: id, title: newOffer, body: visitorName(chat), chat, view: 'WAITING', isPushed: true });
}

function onMissedOffer({ chat }: Offer): void {
  const { missedOffer, show } = strings.value;
  const open = () => go({ page: 'inbox', place: { view: 'WAITING' }, chatId: chat.id });
  const told = fill(missedOffer, { name: visitorName(chat) });
  // A row that's older than the offer doesn't count.
  const isOver = () => {
    const row = rowOf(chat.id);
    return row !== undefined && row.rev > chat.rev && row.owner !== 'QUEUE';
  };
  notifyWith(told, { name: show, run: open }, { stays: MISSED_STAYS_MS, key: chat.id, isOver });
}

async function onRow(before: Row | undefined, row: Row): Promise<void> {
  const kind = session.value
    ? alertOf(before, row, session.value.agent.id, serverNow(), followed.peek().includes(row.id))
    : null;
  if (kind === null || kind === 'offers' || kind === 'mentions' || !wantedAlerts.value[kind]) return;
  const isOwnDoing = Date.now() - (acted.get(row.id) ?? 0) < OWN_ACTION_MS;
  if (kind !== 'messages' && kind !== 'followed' && isOwnDoing) return;
  if (await isNameHeld(looksAt(row.id))) return;
  const title = fill(strings.value.alert[kind], { name: visitorName(row) });
  const isPushed = kind === 'assigned' || kind === 'messages';
  const view = kind === 'waiting' ? 'WAITING' : kind === 'followed' ? 'OPEN' : 'MINE';
  await alert({ key: `${kind} ${row.id} ${row.messageCount}`, title, body: lastWords(row), chat: row, view, isPushed });
}

/** Alerts about a note that mentions the agent, unless they see it. */
export async function alertMention({ note, chat }: Mention): Promise<void> {
  if (!wantedAlerts.value.mentions || (await isNameHeld(looksAt(chat.id)))) return;
  const title = fill(strings.value.alert.mentions, { name: note.author.name });
  const view = chat.owner === 'NOBODY' ? 'CLOSED' : 'OPEN';
  await alert({ key: note.id, title, body: note.content, chat, view, isPushed: true });
}

interface Alert {
  /** The same in all tabs. */
  key: string;
  title: string;
  body: string;
  /** The chat that a click opens, and its view. */
  chat?: Row;
  view?: Place['view'];
  /** Whether the service sends it by push while no page is visible. */
  isPushed?: boolean;
}

async function alert(news: Alert): Promise<void> {
  sound();
  if (notificationPermission.value !== 'granted' || (await isNameHeld(HERE)) || isHere.value) return;
  if (news.isPushed && hasPush() && !(await isNameHeld(VISIBLE))) return;
  await onceInBrowser(ownName(`told:${news.key}`), NO_REPEAT_MS, () => notice(news));
}

function notice({ key, title, body, chat, view = 'MINE' }: Alert): void {
  const shown = new Notification(title, { body, tag: key });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
    if (chat) go({ page: 'inbox', place: { view }, chatId: chat.id });
  });
}

function readVisible(): boolean {
  return document.visibilityState === 'visible';
}

function readHere(): boolean {
  return readVisible() && document.hasFocus();
}

function readWishes(): Record<AlertKind, boolean> {
  const usual = {
    offers: true,
    assigned: true,
    woken: true,
    messages: true,
    followed: true,
    mentions: true,
    waiting: false,
  };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KINDS_KEY) ?? '{}') as Partial<typeof usual>) };
  } catch {
    return usual;
  }
}
