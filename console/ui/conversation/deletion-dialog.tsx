import { useState } from 'preact/hooks';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';
import { notify } from '../../state/notices.js';
import { Dialog } from '../parts/dialog.js';
import { useIsShown } from '../parts/use-is-shown.js';
import { hideOverlay } from '../screen.js';
import { deletion } from './message-actions.js';

/** Asks whether to delete the agent's message, or a note with files, which can't be undone. */
export function DeletionDialog() {
  const text = strings.value;
  const [isBusy, setBusy] = useState(false);
  const isShown = useIsShown();
  const { value: asked } = deletion;
  if (!asked) return null;
  const remove = async () => {
    setBusy(true);
    try {
      await asked.run();
      if (isShown.current) hideOverlay();
    } catch (error) {
      notify(explain(error), 'trouble');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={asked.title} onClose={hideOverlay}>
      <div class="dialog-form">
        <p>{asked.hint}</p>
        <footer>
          <button type="button" class="button" onClick={hideOverlay} autofocus>
            {text.cancel}
          </button>
          <button type="button" class="button primary" disabled={isBusy} onClick={() => void remove()}>
            {asked.name}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
