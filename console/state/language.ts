import { chooseLanguage, type Language, strings } from '../locales/strings.js';
import { notify } from './notices.js';

/** Shows everything in a language; says so when its words cannot be loaded. */
export function switchLanguage(chosen: Language): void {
  chooseLanguage(chosen).catch(() => notify(strings.value.whyUnreachable, 'trouble'));
}
