import { en, type FileWords } from '../../headless/file-words/en.js';
import type { FileKit } from '../../headless/files/view/kit.js';
import type { MessageFile } from '../../headless/types.js';
import { get } from '../api/request.js';
import { type ConsoleFileWords, en as ownEn } from '../locales/files-en.js';
import { lazyStrings } from '../locales/lazy-strings.js';
import { locale, strings } from '../locales/strings.js';
import { isConnected } from '../state/connection.js';

const texts = lazyStrings<FileWords & ConsoleFileWords>({ ...en, ...ownEn }, async () => {
  const [shared, own] = await Promise.all([
    import('../../headless/file-words/de.js'),
    import('../locales/files-de.js'),
  ]);
  return { ...shared.de, ...own.de };
});

/** The texts about files, in the page's language. */
export const fileWords = texts.strings;
export const loadFileWords = texts.load;

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
