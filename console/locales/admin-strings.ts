import { effect, signal } from '@preact/signals';
import { type AdminStrings, en } from './admin-en.js';
import { type Language, language } from './strings.js';

/** The texts of the administration and the overview, which are loaded with these. */
export const adminStrings = signal<AdminStrings>(en);
let isFollowing = false;

/** Takes up the language of the page, and follows it from now on. */
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
