import { signal } from '@preact/signals';
import { ownName } from '../../lib/service.js';

const KEY = ownName('console:undo-send');

/** How long a message can be taken back, in milliseconds. */
export const UNDO_SEND_MS = 5_000;

/** Whether this browser keeps each message for a moment before it sends it. */
export const undoesSend = signal(read());

export function setUndoSend(isWanted: boolean): void {
  undoesSend.value = isWanted;
  try {
    if (isWanted) localStorage.setItem(KEY, 'on');
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage, the choice lasts until a reload.
  }
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on';
  } catch {
    return false;
  }
}
