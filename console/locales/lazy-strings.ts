import { effect, type Signal, signal } from '@preact/signals';
import { type Language, language } from './strings.js';

/** Texts that aren't part of the first load. */
export interface LazyStrings<T> {
  strings: Signal<T>;
  /** Loads them in the page's language, and follows its changes. */
  load: () => Promise<void>;
}

/** @param english loaded with its code @param german loads them in German */
export function lazyStrings<T>(english: T, german: () => Promise<T>): LazyStrings<T> {
  const texts = signal(english);
  let isFollowing = false;
  const take = async (wanted: Language) => {
    const taken = wanted === 'de' ? await german() : english;
    if (language.peek() === wanted) texts.value = taken;
  };
  const load = async () => {
    await take(language.peek());
    if (isFollowing) return;
    isFollowing = true;
    effect(() => void take(language.value).catch(() => undefined));
  };
  return { strings: texts, load };
}
