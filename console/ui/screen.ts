import { signal } from '@preact/signals';
import { ownName } from '../lib/service.js';

const SIDE_KEY = ownName('console:details');

/** Overlays; one is open at a time. */
export type Overlay =
  | 'transfer'
  | 'return'
  | 'snooze'
  | 'end'
  | 'mails'
  | 'deletion'
  | 'wholeMail'
  | 'note'
  | 'move'
  | 'endAll'
  | 'snoozeAll'
  | 'keys'
  | 'profile'
  | 'unsent'
  | 'sessions'
  | 'push'
  | 'palette'
  | 'saveView'
  | 'menu'
  | 'details';

export const overlay = signal<Overlay | null>(null);

/** How many dialogs are open. All but the topmost, and the page, take no clicks. */
export const openDialogs = signal(0);

export function hideOverlay(): void {
  overlay.value = null;
}

const OF_CHAT: readonly Overlay[] = ['transfer', 'return', 'snooze', 'end', 'deletion', 'note', 'mails', 'wholeMail'];

/** Whether the overlay is about the open chat. */
export function isOfChat(shown: Overlay | null): boolean {
  return shown !== null && OF_CHAT.includes(shown);
}

/** Whether the details are shown next to the chat, on wide screens. */
export const isSideShown = signal(readSide());

const wide = matchMedia('(min-width: 1280px)');

/** Whether the screen is wide enough for the details next to the chat. */
export const isWide = signal(wide.matches);
wide.addEventListener('change', () => (isWide.value = wide.matches));

/** Shows or hides the details: next to the chat, or over it on narrow screens. */
export function toggleDetails(): void {
  if (!isWide.value) {
    overlay.value = overlay.value === 'details' ? null : 'details';
    return;
  }
  isSideShown.value = !isSideShown.value;
  try {
    localStorage.setItem(SIDE_KEY, isSideShown.value ? 'shown' : 'hidden');
  } catch {
    // Without storage, the choice lasts until a reload.
  }
}

function readSide(): boolean {
  try {
    return localStorage.getItem(SIDE_KEY) !== 'hidden';
  } catch {
    return true;
  }
}

/** Runs something after the page is rendered, and before the next key: after a frame, keys would already go elsewhere. */
export function onceDrawn(work: () => void): void {
  queueMicrotask(work);
}

/** Focuses the composer once it's rendered. */
export function focusComposer(): void {
  onceDrawn(() => document.querySelector<HTMLTextAreaElement>('.composer textarea')?.focus());
}

/** What was typed before the palette was loaded. */
let typedAhead = '';

export function openPalette(): void {
  typedAhead = '';
  overlay.value = 'palette';
}

export function typeAhead(letter: string): void {
  typedAhead += letter;
}

export function takeTypedAhead(): string {
  const typed = typedAhead;
  typedAhead = '';
  return typed;
}
