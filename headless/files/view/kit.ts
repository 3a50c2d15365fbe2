import type { FileWords } from '../../file-words/en.js';
import type { MessageFile } from '../../types.js';
import type { RefusalStrings } from '../refusals.js';

/** What the views of files take from the page around them. */
export interface FileKit {
  /** Undefined until they're loaded. */
  words: FileWords | undefined;
  strings: RefusalStrings & {
    /** Closes the viewer. */
    closeImage: string;
    /** Uploads a file again. */
    retry: string;
  };
  locale: string;
  /** False while the connection is lost. When it's back, what couldn't be loaded is tried again. */
  isOnline: boolean;
  /** A file with a fresh address. @throws RequestError */
  renew: (id: string) => Promise<MessageFile>;
}
