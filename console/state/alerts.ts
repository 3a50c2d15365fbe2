import { effect, signal } from '@preact/signals';
import newsIcon from '../favicon-news.svg';
import plainIcon from '../favicon.svg';
import type { Offer } from '../api/types.js';
import { fill } from '../../headless/text.js';
import { strings } from '../locales/strings.js';
import { counts } from './counts.js';
import { offers, watchOffers } from './offers.js';
import { route } from './route.js';

const SOUND_KEY = 'parley:console:sound';

/** Whether offers make a sound, as far as the browser allows it. */
export const wantsSound = signal(readWish());
/** Whether the browser lets this page make a sound: not before the first click or key. */
export const isSoundAllowed = signal(false);
/** What the browser lets this page show on the desktop. */
export const notificationPermission = signal<NotificationPermission>(
  'Notification' in globalThis ? Notification.permission : 'denied',
);

let audio: AudioContext | null = null;

/** Shows what happens where the page is not looked at: title, icon, sound, desktop. To be called once. */
export function keepAlert(): void {
  for (const gesture of ['pointerdown', 'keydown']) addEventListener(gesture, allowSound, { capture: true });
  watchOffers(onNewOffer);
  effect(() => {
    const text = strings.value;
    const [first] = offers.value;
    const news = (counts.value?.mineUnread ?? 0) + offers.value.length;
    const title = first ? fill(text.offerTitle, { name: first.chat.visitor.name ?? text.unnamed }) : pageName();
    document.title = `${news > 0 ? `(${news}) ` : ''}${title} · ${text.console}`;
    document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href = news > 0 ? newsIcon : plainIcon;
  });
}

function pageName(): string {
  const { value: at } = route;
  if (at.page === 'overview') return strings.value.overview;
  return at.page === 'admin' ? strings.value.section[at.section] : strings.value.inbox;
}

export function setSound(wanted: boolean): void {
  wantsSound.value = wanted;
  try {
    localStorage.setItem(SOUND_KEY, wanted ? 'on' : 'off');
  } catch {
    // The choice holds as long as the page.
  }
  if (wanted) chime();
}

/** Asks whether offers may be shown on the desktop. To be called by a click. */
export async function askForNotifications(): Promise<void> {
  if ('Notification' in globalThis) notificationPermission.value = await Notification.requestPermission();
}

function onNewOffer({ id, chat }: Offer): void {
  if (wantsSound.value) chime();
  if (notificationPermission.value !== 'granted' || document.visibilityState === 'visible') return;
  const text = strings.value;
  const shown = new Notification(text.newOffer, { body: chat.visitor.name ?? text.unnamed, tag: id });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
  });
}

function allowSound(): void {
  audio ??= new AudioContext();
  void audio.resume().then(() => (isSoundAllowed.value = audio?.state === 'running'));
}

/** Two soft tones. */
function chime(): void {
  if (audio?.state !== 'running') return;
  [660, 880].forEach((pitch, index) => {
    const begins = audio!.currentTime + index * 0.16;
    const tone = new OscillatorNode(audio!, { frequency: pitch });
    const volume = new GainNode(audio!, { gain: 0 });
    volume.gain.setValueAtTime(0, begins);
    volume.gain.linearRampToValueAtTime(0.12, begins + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + 0.35);
    tone.connect(volume).connect(audio!.destination);
    tone.start(begins);
    tone.stop(begins + 0.4);
  });
}

function readWish(): boolean {
  try {
    return localStorage.getItem(SOUND_KEY) !== 'off';
  } catch {
    return true;
  }
}
