import { effect, signal } from '@preact/signals';
import { type AdminStrings, en } from './admin-en.js';
import { type Language, language } from './strings.js';

/** The texts of the administration and the overview, loaded with them. */
export const adminStrings = signal<AdminStrings>(en);
let isFollowing = false;

/** Loads the texts in the page's language, and follows its changes. */
export async function loadAdminStrings(): Promise<void> {
  await take(language.peek());
  if (isFollowing) return;
  isFollowing = true;
  effect(() => void take(language.value).catch(() => undefined));
}

async function take(wanted: Language): Promise<void> {
  const taken = wanted === 'de' ? (await import('./admin-de.js')).de : en;
  if (language.peek() === wanted) adminStrings.value = taken;
}
