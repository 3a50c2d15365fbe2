import type { FileKit } from '../../../headless/files/view/kit.js';
import { renewFile } from '../../client/uploads.js';
import { usePanel } from '../../panel/lib/context.js';
import { useObservable } from '../../panel/lib/observable.js';
import { useFileWords } from './words.js';

/** What the shared views of files take from the panel. @param needsWords whether to load the words about files */
export function useKit(needsWords = true): FileKit {
  const { client, strings, host } = usePanel();
  const { state } = useObservable(client.connection);
  const { locale } = host.settings;
  return {
    words: useFileWords(needsWords),
    strings,
    locale,
    isOnline: state !== 'offline',
    renew: (id) => renewFile(client, id),
  };
}
