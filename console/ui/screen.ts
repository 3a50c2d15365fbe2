import { signal } from '@preact/signals';

const SIDE_KEY = 'parley:console:details';

/** What lies over the page, one at a time. */
export type Overlay = 'transfer' | 'return' | 'end' | 'keys' | 'sessions' | 'palette' | 'menu' | 'details';

export const overlay = signal<Overlay | null>(null);

export function hideOverlay(): void {
  overlay.value = null;
}

/** Whether the overlay is about the open chat. */
export function isOfChat(shown: Overlay | null): boolean {
  return shown === 'transfer' || shown === 'return' || shown === 'end';
}

/** Whether the details stand beside the chat, where there is room. */
export const isSideShown = signal(readSide());

const wide = matchMedia('(min-width: 1280px)');

/** Whether there is room for the details beside the chat. */
export const isWide = signal(wide.matches);
wide.addEventListener('change', () => (isWide.value = wide.matches));

/** Shows or hides the details: beside the chat, or over it where there is no room. */
export function toggleDetails(): void {
  if (!isWide.value) {
    overlay.value = overlay.value === 'details' ? null : 'details';
    return;
  }
  isSideShown.value = !isSideShown.value;
  try {
    localStorage.setItem(SIDE_KEY, isSideShown.value ? 'shown' : 'hidden');
  } catch {
    // The choice holds as long as the page.
  }
}

function readSide(): boolean {
  try {
    return localStorage.getItem(SIDE_KEY) !== 'hidden';
  } catch {
    return true;
  }
}

/** Does something when what was changed is in the page, and before the next key comes: keys that wait for a frame go elsewhere. */
export function onceDrawn(work: () => void): void {
  queueMicrotask(work);
}

/** Puts the focus where the agent writes, once it is there. */
export function focusComposer(): void {
  onceDrawn(() => document.querySelector<HTMLTextAreaElement>('.composer textarea')?.focus());
}
