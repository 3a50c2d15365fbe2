import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { post } from '../../api/request.js';
import type { Detail } from '../../api/types.js';
import { visitorName } from '../../lib/names.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';
import { notify } from '../../state/notices.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';

/** The status of e-mails to the visitor, and the transcript. It needs the chat's id as its key, so that each chat has its own state. */
export function VisitorMail({ detail }: { detail: Detail }) {
  const text = dialogStrings.value;
  const [isBusy, setBusy] = useState(false);
  const [isAsking, ask] = useState(false);
  const { id, visitor, canSendTranscript } = detail;
  const email = visitor.email ?? '';
  const send = () => {
    if (isBusy) return;
    setBusy(true);
    post(`/chats/${id}/transcript`, {})
      .then(
        () => notify(fill(text.transcriptSent, { email })),
        (error: unknown) => notify(explain(error), 'trouble'),
      )
      .finally(() => setBusy(false));
  };
  return (
    <>
      {visitor.mailStatus === 'BOUNCED' && (
        <p class="fault small" role="status">
          {text.bounced}
        </p>
      )}
      {visitor.mailStatus === 'UNSUBSCRIBED' && (
        <p class="hint small">
          {text.unsubscribed}{' '}
          <button type="button" class="button small" onClick={() => ask(true)}>
            {text.resubscribe}
          </button>
        </p>
      )}
      {canSendTranscript && (
        <button
          type="button"
          class="button small"
          title={fill(text.sendTranscriptHint, { email })}
          aria-disabled={isBusy}
          onClick={send}
        >
          <Icon name="mail" />
          {text.sendTranscript}
        </button>
      )}
      {isAsking && <Resubscribe detail={detail} onClose={() => ask(false)} />}
    </>
  );
}

function Resubscribe({ detail, onClose }: { detail: Detail; onClose: () => void }) {
  const text = dialogStrings.value;
  const [isBusy, setBusy] = useState(false);
  const name = visitorName(detail);
  const run = () => {
    if (isBusy) return;
    setBusy(true);
    post(`/chats/${detail.id}/resubscribe`, {})
      .then(
        () => {
          notify(fill(text.resubscribed, { name }));
          onClose();
        },
        (error: unknown) => notify(explain(error), 'trouble'),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={fill(text.resubscribeTitle, { name })} onClose={onClose}>
      <p class="hint">{text.resubscribeHint}</p>
      <footer>
        <button type="button" class="button" onClick={onClose}>
          {strings.value.cancel}
        </button>
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={run}>
          {text.resubscribeNow}
        </button>
      </footer>
    </Dialog>
  );
}
