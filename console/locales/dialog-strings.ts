import { type DialogStrings, en } from './dialogs-en.js';
import { lazyStrings } from './lazy-strings.js';

const texts = lazyStrings<DialogStrings>(en, async () => (await import('./dialogs-de.js')).de);

/** The texts of dialogs and details that aren't part of the first load. */
export const dialogStrings = texts.strings;
export const loadDialogStrings = texts.load;
