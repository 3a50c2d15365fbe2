import { call } from '../../api/request.js';
import type { Batch } from '../../api/types.js';
import type { Message } from '../../../headless/types.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { strings } from '../../locales/strings.js';
import { draftOf, setDraft } from '../../state/chat/drafts.js';
import { rowOf } from '../../state/inbox/rows.js';
import { isMine } from '../../state/inbox/views.js';
import { me } from '../../state/session.js';
import { kindOf, setKind } from '../composer/composer-kind.js';
import { copyText } from '../parts/copy-text.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { focusComposer, hideOverlay, overlay } from '../screen.js';
import { askBeforeDeleting } from './message-actions.js';

/** The longest quoted text, in characters. */
const MAX_QUOTE = 500;

/** The whole text of the e-mail that is shown. */
let wholeMail = '';

type Mailed = Message & Pick<Batch['messages'][number], 'fullText'>;

/** What the agent can do with a message. */
export function MessageMenu({ message }: { message: Message }) {
  const text = dialogStrings.value;
  const isOwn = message.sender.type === 'AGENT' && message.sender.id === me().id;
  const { fullText } = message as Mailed;
  return (
    <>
      {message.content && (
        <>
          <button type="button" role="menuitem" onClick={() => copyText(message.content)}>
            <Icon name="copy" />
            {strings.value.copy}
          </button>
          <button type="button" role="menuitem" onClick={() => quote(message)}>
            <Icon name="quote" />
            {text.quote}
          </button>
        </>
      )}
      {fullText && (
        <button type="button" role="menuitem" onClick={() => showMail(fullText)}>
          <Icon name="mail" />
          {text.showMail}
        </button>
      )}
      {isOwn && (
        <button type="button" role="menuitem" onClick={() => askToDelete(message)}>
          <Icon name="trash" />
          {text.deleteMessage}
        </button>
      )}
    </>
  );
}

/** The whole text of a message that arrived as an e-mail, with what it quotes. */
export function WholeMailDialog() {
  return (
    <Dialog title={dialogStrings.value.wholeMail} form="wide" isLight onClose={hideOverlay}>
      <article class="mail">
        <p class="words" dir="auto">
          {wholeMail}
        </p>
      </article>
    </Dialog>
  );
}

function showMail(fullText: string): void {
  wholeMail = fullText;
  overlay.value = 'wholeMail';
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
  const { deleteMessageTitle: title, deleteMessageHint: hint, deleteMessage: name } = dialogStrings.value;
  askBeforeDeleting({ title, hint, name, run: () => call('DELETE', `/chats/${chatId}/messages/${seq}`) });
}
