import { signal } from '@preact/signals';
import type { Message } from '../../../headless/types.js';
import { strings } from '../../locales/strings.js';
import { me } from '../../state/session.js';
import { LazyDialog } from '../lazy-dialog.js';
import { Icon } from '../parts/icon.js';
import { Popover } from '../parts/popover.js';
import { overlay } from '../screen.js';

/** A deletion that is being confirmed. */
interface Deletion {
  title: string;
  hint: string;
  name: string;
  /** @throws RequestError */
  run: () => Promise<unknown>;
}

export const deletion = signal<Deletion | null>(null);

/** Asks before something is deleted for good. */
export function askBeforeDeleting(wanted: Deletion): void {
  deletion.value = wanted;
  overlay.value = 'deletion';
}

/** What the agent can do with a message. */
export function MessageActions({ message }: { message: Message }) {
  const isOwn = message.sender.type === 'AGENT' && message.sender.id === me().id;
  if (!isOwn && !message.content) return null;
  return (
    <Popover
      label={strings.value.messageActions}
      buttonClass="button quiet round message-more"
      button={<Icon name="more" />}
      kind="menu"
    >
      {() => <LazyDialog name="messageMenu" message={message} />}
    </Popover>
  );
}
