import { useState } from 'preact/hooks';
import { call } from '../../api/request.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';
import { notify } from '../../state/notices.js';
import { Dialog } from '../parts/dialog.js';
import { hideOverlay } from '../screen.js';
import { toDelete } from './message-actions.js';

/** Asks whether to delete the agent's message, which can't be undone. */
export function DeletionDialog() {
  const text = strings.value;
  const [isBusy, setBusy] = useState(false);
  const { value: message } = toDelete;
  if (!message) return null;
  const remove = async () => {
    setBusy(true);
    try {
      await call('DELETE', `/chats/${message.chatId}/messages/${message.seq}`);
      hideOverlay();
    } catch (error) {
      notify(explain(error), 'trouble');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={text.deleteMessageTitle} onClose={hideOverlay}>
      <div class="dialog-form">
        <p>{text.deleteMessageHint}</p>
        <footer>
          <button type="button" class="button" onClick={hideOverlay} autofocus>
            {text.cancel}
          </button>
          <button type="button" class="button primary" disabled={isBusy} onClick={() => void remove()}>
            {text.deleteMessage}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
