import { chooseLanguage, type Language, strings } from '../locales/strings.js';
import { notify } from './notices.js';

/** Switches the language, and shows a notice if its texts can't be loaded. */
export function switchLanguage(chosen: Language): void {
  chooseLanguage(chosen).catch(() => notify(strings.value.whyUnreachable, 'trouble'));
}
