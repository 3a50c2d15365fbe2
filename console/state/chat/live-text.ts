import { signal } from '@preact/signals';
import { ownName } from '../../lib/service.js';

const KEY = ownName('console:live-text');

/** Whether visitors see what this agent types before it's sent. Off by default. */
export const showsLiveText = signal(readWish());

export function setLiveText(isShown: boolean): void {
  showsLiveText.value = isShown;
  try {
    localStorage.setItem(KEY, isShown ? 'on' : 'off');
  } catch {
    // Without storage, the choice lasts until a reload.
  }
}

function readWish(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on';
  } catch {
    return false;
  }
}
