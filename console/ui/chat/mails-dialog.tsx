import { useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { call } from '../../api/request.js';
import type { Detail, Row } from '../../api/types.js';
import { fullTime } from '../../lib/times.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { explain } from '../../state/explain.js';
import { openChat } from '../../state/chat/open-chat.js';
import { notify } from '../../state/notices.js';
import { Dialog } from '../parts/dialog.js';
import { Files, useFilesCode } from '../parts/files.js';
import { Linked } from '../parts/rich.js';
import { hideOverlay } from '../screen.js';

type ArrivedMail = Detail['mails'][number];

/** E-mails to accept or drop. One that's decided stays in its place, so that no button moves under the pointer. */
export function MailsDialog({ row: { id, rev } }: { row: Row }) {
  const text = dialogStrings.value;
  const known = useRef(new Map<string, ArrivedMail>());
  const detail = openChat.value?.detail.value;
  const current = detail?.id === id ? detail.mails : [];
  for (const mail of current) known.current.set(mail.id, mail);
  const mails = [...known.current.values()];
  useFilesCode(mails.some(({ files }) => files.length > 0));
  // The details are read a moment after the row says that something changed.
  const isCurrent = detail?.id === id && detail.rev >= rev;
  return (
    <Dialog title={text.mailsTitle} onClose={hideOverlay}>
      <p class="hint">{text.mailsHint}</p>
      {mails.map((mail) => (
        <MailCard key={mail.id} chatId={id} mail={mail} isOver={isCurrent && !current.includes(mail)} />
      ))}
    </Dialog>
  );
}

/** @param isOver whether an agent has decided about it */
function MailCard({ chatId, mail, isOver }: { chatId: string; mail: ArrivedMail; isOver: boolean }) {
  const text = dialogStrings.value;
  const [isBusy, setBusy] = useState(false);
  const [decision, decide] = useState('');
  const state = decision || (isOver && !isBusy ? text.mailIsOver : '');
  const from = fill(text.mailFrom, { from: mail.from ?? '?' });
  const run = (isAccepted: boolean) => {
    if (isBusy) return;
    setBusy(true);
    const path = `/chats/${chatId}/mails/${mail.id}`;
    void (isAccepted ? call('POST', `${path}/accept`, {}) : call('DELETE', path))
      .then(
        () => decide(isAccepted ? text.mailAccepted : text.mailDropped),
        (error: unknown) => notify(explain(error), 'trouble'),
      )
      .finally(() => setBusy(false));
  };
  return (
    <article class="mail" aria-label={from}>
      <p class="small">
        <bdi>{from}</bdi> · <time dateTime={mail.receivedAt}>{fullTime(mail.receivedAt)}</time>
      </p>
      <p class="words" dir="auto">
        <Linked text={mail.text} />
      </p>
      {mail.files.length > 0 && <Files files={mail.files} />}
      <p class="hint" role="status">
        {state}
      </p>
      {!state && (
        <footer>
          <button type="button" class="button" disabled={isBusy} onClick={() => run(false)}>
            {text.dropMail}
          </button>
          <button type="button" class="button primary" disabled={isBusy} onClick={() => run(true)}>
            {text.acceptMail}
          </button>
        </footer>
      )}
    </article>
  );
}
