import { useEffect, useState } from 'preact/hooks';
import type { FileWords } from '../../../headless/file-words/en.js';
import { usePanel } from '../../panel/lib/context.js';

/** The hash in the names of the files with these words, which the build inserts. */
declare const __FILE_WORDS__: string;

/** Milliseconds until words that failed to load are asked for again, doubled five times. */
const RETRY_MS = 2_000;

const loaded = new Map<string, FileWords>();

/** The words about files in the widget's language, with the site's own; undefined until they're loaded. */
export function useFileWords(isNeeded: boolean): FileWords | undefined {
  const { host, strings } = usePanel();
  const { language } = strings;
  const [, setLoaded] = useState('');
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isNeeded || loaded.has(language)) return;
    host.load<{ default: FileWords }>(`filewords.${language}.${__FILE_WORDS__}.js`).then(
      (module) => {
        loaded.set(language, module.default);
        setLoaded(language);
      },
      () => setTimeout(setTries, RETRY_MS * 2 ** Math.min(tries, 5), tries + 1),
    );
  }, [language, isNeeded, tries]);
  const words = loaded.get(language);
  return words && { ...words, ...(host.settings.strings as Partial<FileWords>) };
}
