import { computed, effect, signal } from '@preact/signals';
import plainIcon from '../../favicon.svg';
import type { Offer, Row } from '../../api/types.js';
import { fill } from '../../../headless/text.js';
import { type AlertKind, alertOf } from '../../lib/alert.js';
import { lastWords, visitorName } from '../../lib/names.js';
import { holdName, isNameHeld, onceInBrowser } from '../../lib/once.js';
import { strings } from '../../locales/strings.js';
import { serverNow } from '../clock.js';
import { counts } from '../inbox/counts.js';
import { notifyWith } from '../notices.js';
import { offers, watchOffers } from '../inbox/offers.js';
import { go, route } from '../route.js';
import { watchRows } from '../inbox/rows.js';
import { session } from '../session.js';
import { allowSound, keepSound, sound } from './sound.js';
import type { Place } from '../inbox/views.js';

const KINDS_KEY = 'parley:console:alerts';
/** What one tab has alerted of, no other does for this long, in milliseconds: it may hear of it later. */
const TOLD_FOR = 30_000;
/** A missed offer is told for this long, in milliseconds: the agent is elsewhere as a rule. */
const MISSED_STAYS = 60_000;
/** What the agent does changes rows within this time, in milliseconds. */
const ACTED_FOR = 10_000;

/** What the agent wants to be alerted of. */
export const wantedAlerts = signal<Readonly<Record<AlertKind, boolean>>>(readWishes());
/** What the browser lets this page show on the desktop. */
export const notificationPermission = signal<NotificationPermission>(
  'Notification' in globalThis ? Notification.permission : 'denied',
);

/** Whether the agent is in front of this page. */
const isHere = signal(readHere());
/** The chats that the agent has just done something with, in this tab or another. */
const acted = new Map<string, number>();
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('parley:console') : null;

const HERE = 'parley:here';
const looksAt = (chatId: string) => `parley:looks:${chatId}`;

/** Shows what happens where the page is not looked at: title, icon, sound, desktop. To be called once. */
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
    const news = (counts.value?.mineUnread ?? 0) + offers.value.length + waiting;
    const title = first ? fill(text.offerTitle, { name: first.chat.visitor.name ?? text.unnamed }) : pageName();
    document.title = `${news > 0 ? `(${news}) ` : ''}${title} · ${text.console}`;
    document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href = iconOf(news);
  });
}

/** What the agent does with a chat is no news to them. To be called before it is asked for. */
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

/** Asks whether alerts may be shown on the desktop. To be called by a click. */
export async function askForNotifications(): Promise<void> {
  if ('Notification' in globalThis) notificationPermission.value = await Notification.requestPermission();
}

/** Makes a sound and shows a notification, so that the agent knows how alerts come. To be called by a click. */
export async function testAlert(): Promise<void> {
  // The click may be the first one.
  await allowSound();
  sound();
  if (notificationPermission.value === 'default') await askForNotifications();
  const text = strings.value;
  if (notificationPermission.value === 'granted')
    notice({ key: 'test', title: text.testAlert, body: text.testAlertBody });
}

function iconOf(news: number): string {
  if (news === 0) return plainIcon;
  return new URL(`../../favicons/${news > 9 ? 'more' : news}.svg`, import.meta.url).href;
}

function pageName(): string {
  const { value: at } = route;
  if (at.page === 'overview') return strings.value.overview;
  return at.page === 'admin' ? strings.value.section[at.section] : strings.value.inbox;
}

/** Lets the other tabs know where the agent is, and at which chat they look. */
function keepLooking(): void {
  const update = () => (isHere.value = readHere());
  document.addEventListener('visibilitychange', update);
  for (const event of ['focus', 'blur']) addEventListener(event, update);
  effect(() => (isHere.value ? holdName(HERE) : undefined));
  const chatId = computed(() => (isHere.value && route.value.page === 'inbox' ? route.value.chatId : undefined));
  effect(() => (chatId.value === undefined ? undefined : holdName(looksAt(chatId.value))));
}

async function onNewOffer({ id, chat }: Offer): Promise<void> {
  if (!wantedAlerts.value.offers) return;
  const { newOffer } = strings.value;
  await alert({ key: id, title: newOffer, body: visitorName(chat), chat, view: 'WAITING' });
}

function onMissedOffer({ chat }: Offer): void {
  const { missedOffer, show } = strings.value;
  const open = () => go({ page: 'inbox', place: { view: 'WAITING' }, chatId: chat.id });
  const told = fill(missedOffer, { name: visitorName(chat) });
  notifyWith(told, { name: show, run: open }, { stays: MISSED_STAYS, key: chat.id });
}

async function onRow(before: Row | undefined, row: Row): Promise<void> {
  const kind = session.value ? alertOf(before, row, session.value.agent.id, serverNow()) : null;
  if (kind === null || kind === 'offers' || !wantedAlerts.value[kind]) return;
  const isOwnDoing = Date.now() - (acted.get(row.id) ?? 0) < ACTED_FOR;
  if (kind !== 'messages' && isOwnDoing) return;
  if (await isNameHeld(looksAt(row.id))) return;
  const title = fill(strings.value.alert[kind], { name: visitorName(row) });
  const view = kind === 'waiting' ? 'WAITING' : 'MINE';
  await alert({ key: `${kind} ${row.id} ${row.messageCount}`, title, body: lastWords(row), chat: row, view });
}

interface Alert {
  /** The same in all tabs. */
  key: string;
  title: string;
  body: string;
  /** What a click opens, and where. */
  chat?: Row;
  view?: Place['view'];
}

async function alert(news: Alert): Promise<void> {
  sound();
  if (notificationPermission.value !== 'granted' || (await isNameHeld(HERE)) || isHere.value) return;
  await onceInBrowser(`parley:told:${news.key}`, TOLD_FOR, () => notice(news));
}

function notice({ key, title, body, chat, view = 'MINE' }: Alert): void {
  const shown = new Notification(title, { body, tag: key });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
    if (chat) go({ page: 'inbox', place: { view }, chatId: chat.id });
  });
}

function readHere(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

function readWishes(): Record<AlertKind, boolean> {
  const usual = { offers: true, assigned: true, messages: true, waiting: false };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KINDS_KEY) ?? '{}') as Partial<typeof usual>) };
  } catch {
    return usual;
  }
}
