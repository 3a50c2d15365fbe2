import { useRef, useState } from 'preact/hooks';
import type { Row } from '../../api/types.js';
import { strings } from '../../locales/strings.js';
import { returnChat } from '../../state/actions.js';
import { isChatSteady } from '../../state/steady.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Dialog } from '../parts/dialog.js';
import { hideOverlay } from '../screen.js';
import { MAX_NOTE_LENGTH } from './transfer-dialog.js';

/** Returns a chat to the bot, with an optional note. */
export function ReturnDialog({ row }: { row: Row }) {
  const text = strings.value;
  const note = useRef<HTMLTextAreaElement>(null);
  const [isBusy, setBusy] = useState(false);
  const isReady = isChatSteady();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy || !isReady) return;
    setBusy(true);
    const isDone = await returnChat(row, note.current?.value.trim() ?? '');
    setBusy(false);
    if (isDone) hideOverlay();
  };
  return (
    <Dialog title={text.returnTitle} onClose={hideOverlay}>
      <form class="dialog-form" onSubmit={(event) => void submit(event)}>
        <p class="hint">{text.returnHint}</p>
        <label>
          {text.noteForBot}
          <textarea ref={note} rows={3} maxLength={MAX_NOTE_LENGTH} autofocus />
        </label>
        <DialogButtons isDisabled={isBusy} isReady={isReady}>
          {text.returnNow}
        </DialogButtons>
      </form>
    </Dialog>
  );
}
