import { useEffect } from 'preact/hooks';
import { namesOf } from '../../../headless/files/names.js';
import type { MessageFile } from '../../../headless/types.js';
import { filesCode, loadFilesCode } from '../../state/chat/draft-files.js';

/** The code that shows and sends files, once it's loaded. */
export function useFilesCode(isNeeded: boolean) {
  const code = filesCode.value;
  useEffect(() => {
    if (isNeeded && !code) loadFilesCode().catch(() => undefined);
  }, [isNeeded]);
  return code;
}

/** The files of a message or note; their names until the code for more is loaded. */
export function Files({ files }: { files: readonly MessageFile[] | undefined }) {
  const code = useFilesCode(!!files);
  if (!files) return null;
  return code ? <code.MessageFiles files={files} /> : <p class="words">{namesOf({ files: [...files] })}</p>;
}
