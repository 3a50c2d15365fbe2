import { signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import { picturesOf } from '../../headless/files/kinds.js';
import { FileList } from '../../headless/files/view/file-list.js';
import { Viewer } from '../../headless/files/view/viewer.js';
import type { MessageFile } from '../../headless/types.js';
import type { OpenChat } from '../state/chat/chat.js';
import { OfferCards } from '../ui/offer-cards.js';
import { openDialogs } from '../ui/screen.js';
import { fileKit } from './words.js';

/** The picture in the viewer. */
const viewed = signal<MessageFile | null>(null);

/** The files of a message or note. */
export function MessageFiles({ files }: { files: readonly MessageFile[] }) {
  return <FileList files={files} kit={fileKit()} onOpen={(file) => (viewed.value = file)} />;
}

/** The viewer of a chat's pictures, of its messages or of its notes. It stays while lines leave the page. */
export function ViewerOf({ chat }: { chat: OpenChat }) {
  useLayoutEffect(() => () => void (viewed.value = null), [chat]);
  const { value: first } = viewed;
  return first && <OpenViewer chat={chat} first={first} />;
}

function OpenViewer({ chat, first }: { chat: OpenChat; first: MessageFile }) {
  const [level, setLevel] = useState(0);
  useLayoutEffect(() => {
    setLevel((openDialogs.value += 1));
    return () => void (openDialogs.value -= 1);
  }, []);
  const all = [chat.messages.value, chat.notes.value].map((ones: readonly { files?: MessageFile[] }[]) =>
    picturesOf(ones.flatMap(({ files = [] }) => files)),
  );
  const pictures = all.find((some) => some.some(({ id }) => id === first.id)) ?? [first];
  return (
    <Viewer first={first} pictures={pictures} kit={fileKit()} onClose={() => (viewed.value = null)}>
      {/* The page below takes no clicks, and an offer runs out in seconds. */}
      {level === openDialogs.value && <OfferCards />}
    </Viewer>
  );
}
