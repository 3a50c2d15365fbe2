import { signal } from '@preact/signals';

const KEY = 'parley:console:live-text';

/** Whether visitors see what this agent writes before it is sent: not unless the agent says so. */
export const showsLiveText = signal(readWish());

export function setLiveText(isShown: boolean): void {
  showsLiveText.value = isShown;
  try {
    localStorage.setItem(KEY, isShown ? 'on' : 'off');
  } catch {
    // The choice holds as long as the page.
  }
}

function readWish(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on';
  } catch {
    return false;
  }
}
