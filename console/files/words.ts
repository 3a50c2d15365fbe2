import { effect, signal } from '@preact/signals';
import { en, type FileWords } from '../../headless/file-words/en.js';
import type { FileKit } from '../../headless/files/view/kit.js';
import type { MessageFile } from '../../headless/types.js';
import { get } from '../api/request.js';
import { type ConsoleFileWords, en as ownEn } from '../locales/files-en.js';
import { type Language, language, locale, strings } from '../locales/strings.js';
import { isConnected } from '../state/connection.js';

/** The texts about files, in the page's language. */
export const fileWords = signal<FileWords & ConsoleFileWords>({ ...en, ...ownEn });
let isFollowing = false;

/** Loads the texts in the page's language, and follows its changes. */
export async function loadFileWords(): Promise<void> {
  await take(language.peek());
  if (isFollowing) return;
  isFollowing = true;
  effect(() => void take(language.value).catch(() => undefined));
}

async function take(wanted: Language): Promise<void> {
  const taken = wanted === 'de' ? await german() : { ...en, ...ownEn };
  if (language.peek() === wanted) fileWords.value = taken;
}

async function german(): Promise<FileWords & ConsoleFileWords> {
  const [shared, own] = await Promise.all([
    import('../../headless/file-words/de.js'),
    import('../locales/files-de.js'),
  ]);
  return { ...shared.de, ...own.de };
}

/** A file with a fresh address. @throws RequestError */
export async function renewFile(id: string): Promise<MessageFile> {
  return (await get<{ file: MessageFile }>(`/files/${id}`)).file;
}

/** What the shared views of files take from the console. Call it while rendering: it subscribes to changes. */
export function fileKit(): FileKit {
  const words = fileWords.value;
  const { close, tryAgain } = strings.value;
  return {
    words,
    strings: { closeImage: close, retry: tryAgain, noFiles: words.notHere, ended: words.ended },
    locale: locale.value,
    isOnline: isConnected.value,
    renew: renewFile,
  };
}
