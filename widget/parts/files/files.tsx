import { useState } from 'preact/hooks';
import { picturesOf } from '../../../headless/files/kinds.js';
import { FileList } from '../../../headless/files/view/file-list.js';
import { Viewer } from '../../../headless/files/view/viewer.js';
import type { Message, MessageFile } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { useObservable } from '../../panel/lib/observable.js';
import { useKit } from './kit.js';

export { default as styles } from '../../../headless/files/view/shown.css?inline';

/** A message's files, and the viewer of the chat's pictures. */
export function Files({ message: { files = [] } }: { message: Message }) {
  const messages = useObservable(usePanel().client.messages);
  const [shown, show] = useState<MessageFile>();
  const kit = useKit(!!shown);
  const pictures = shown ? picturesOf(messages.flatMap((message) => message.files ?? [])) : [];
  return (
    <>
      <FileList files={files} kit={kit} onOpen={show} />
      {shown && <Viewer first={shown} pictures={pictures} kit={kit} onClose={() => show(undefined)} />}
    </>
  );
}
