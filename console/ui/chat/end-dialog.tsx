import type { Row } from '../../api/types.js';
import { visitorName } from '../../lib/names.js';
import { fill } from '../../../headless/text.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { strings } from '../../locales/strings.js';
import { endChat } from '../../state/actions.js';
import { isChatSteady } from '../../state/steady.js';
import { Dialog } from '../parts/dialog.js';
import { hideOverlay } from '../screen.js';

/** Asks whether to end a chat without sending the draft. */
export function EndDialog({ row }: { row: Row }) {
  const text = strings.value;
  const words = dialogStrings.value;
  const end = () => {
    if (!isChatSteady()) return;
    hideOverlay();
    void endChat(row);
  };
  return (
    <Dialog title={fill(words.endTitle, { name: visitorName(row) })} onClose={hideOverlay}>
      <div class="dialog-form">
        <p>{words.endHint}</p>
        <footer>
          <button type="button" class="button" onClick={hideOverlay} autofocus>
            {text.goOnWriting}
          </button>
          <button type="button" class="button primary" aria-disabled={!isChatSteady()} onClick={end}>
            {words.endNow}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
