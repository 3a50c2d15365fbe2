import { useRef, useState } from 'preact/hooks';
import type { Row } from '../../api/types.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { returnChat } from '../../state/actions.js';
import { isChatSteady } from '../../state/steady.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Dialog } from '../parts/dialog.js';
import { useIsShown } from '../parts/use-is-shown.js';
import { hideOverlay } from '../screen.js';
import { MAX_NOTE_LENGTH } from './transfer-dialog.js';

/** Returns a chat to the bot, with an optional note. */
export function ReturnDialog({ row }: { row: Row }) {
  const words = dialogStrings.value;
  const note = useRef<HTMLTextAreaElement>(null);
  const [isBusy, setBusy] = useState(false);
  const isReady = isChatSteady();
  const isShown = useIsShown();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy || !isReady) return;
    setBusy(true);
    const isDone = await returnChat(row, note.current?.value.trim() ?? '');
    setBusy(false);
    if (isDone && isShown.current) hideOverlay();
  };
  return (
    <Dialog title={words.returnTitle} onClose={hideOverlay}>
      <form class="dialog-form" onSubmit={(event) => void submit(event)}>
        <p class="hint">{words.returnHint}</p>
        <label>
          {words.noteForBot}
          <textarea ref={note} rows={3} maxLength={MAX_NOTE_LENGTH} autofocus />
        </label>
        <DialogButtons isDisabled={isBusy} isReady={isReady}>
          {words.returnNow}
        </DialogButtons>
      </form>
    </Dialog>
  );
}
