import { type AdminStrings, en } from './admin-en.js';
import { lazyStrings } from './lazy-strings.js';

const texts = lazyStrings<AdminStrings>(en, async () => (await import('./admin-de.js')).de);

/** The texts of the administration and the overview, loaded with them. */
export const adminStrings = texts.strings;
export const loadAdminStrings = texts.load;
