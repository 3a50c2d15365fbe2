import { lazyStrings } from './lazy-strings.js';
import { en, type MailStrings } from './mail-en.js';

const texts = lazyStrings<MailStrings>(en, async () => (await import('./mail-de.js')).de);

/** The texts about e-mails of a chat, loaded with the dialogs. */
export const mailStrings = texts.strings;
export const loadMailStrings = texts.load;
