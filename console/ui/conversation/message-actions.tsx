import { signal } from '@preact/signals';
import type { Message } from '../../../headless/types.js';
import { call } from '../../api/request.js';
import { strings } from '../../locales/strings.js';
import { draftOf, setDraft } from '../../state/chat/drafts.js';
import { rowOf } from '../../state/inbox/rows.js';
import { isMine } from '../../state/inbox/views.js';
import { notify } from '../../state/notices.js';
import { me } from '../../state/session.js';
import { kindOf, setKind } from '../composer/composer-kind.js';
import { Icon } from '../parts/icon.js';
import { Popover } from '../parts/popover.js';
import { focusComposer, overlay } from '../screen.js';

/** The longest quoted text, in characters. */
const MAX_QUOTE = 500;

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
  const text = strings.value;
  const isOwn = message.sender.type === 'AGENT' && message.sender.id === me().id;
  if (!isOwn && !message.content) return null;
  return (
    <Popover
      label={text.messageActions}
      buttonClass="button quiet round message-more"
      button={<Icon name="more" />}
      kind="menu"
    >
      {() => (
        <>
          {message.content && (
            <>
              <button type="button" role="menuitem" onClick={() => copyText(message.content)}>
                <Icon name="copy" />
                {text.copy}
              </button>
              <button type="button" role="menuitem" onClick={() => quote(message)}>
                <Icon name="quote" />
                {text.quote}
              </button>
            </>
          )}
          {isOwn && (
            <button type="button" role="menuitem" onClick={() => askToDelete(message)}>
              <Icon name="trash" />
              {text.deleteMessage}
            </button>
          )}
        </>
      )}
    </Popover>
  );
}

/** Copies a text, and says so. */
export function copyText(content: string): void {
  const copied = navigator.clipboard?.writeText(content) ?? Promise.reject(new Error('no clipboard'));
  const { copied: done, copyFailed } = strings.value;
  copied.then(
    () => notify(done),
    () => notify(copyFailed, 'trouble'),
  );
}

/** Puts a quote of the message in front of the draft. */
function quote({ chatId, content }: Message): void {
  const characters = [...content];
  const quoted = characters.length > MAX_QUOTE ? `${characters.slice(0, MAX_QUOTE).join('')}…` : content;
  const lines = quoted.split('\n').map((line) => `> ${line}`);
  const row = rowOf(chatId);
  if (row && !isMine(row) && row.owner !== 'NOBODY') setKind(chatId, 'note');
  const kind = kindOf(chatId);
  setDraft(chatId, kind, `${lines.join('\n')}\n\n${draftOf(chatId, kind)}`);
  focusComposer();
}

function askToDelete({ chatId, seq }: Message): void {
  const { deleteMessageTitle: title, deleteMessageHint: hint, deleteMessage: name } = strings.value;
  askBeforeDeleting({ title, hint, name, run: () => call('DELETE', `/chats/${chatId}/messages/${seq}`) });
}
