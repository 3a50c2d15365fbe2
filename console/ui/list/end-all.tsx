import { useLayoutEffect, useState } from 'preact/hooks';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { plural } from '../../locales/strings.js';
import { allows, endAll } from '../../state/bulk.js';
import { selectedRows } from '../../state/inbox/selection.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Dialog } from '../parts/dialog.js';
import { hideOverlay } from '../screen.js';

/** Ends the selected chats; asks first if there are several. */
export function EndAllDialog() {
  const text = dialogStrings.value;
  const rows = selectedRows.value.filter((row) => allows('end', row));
  const [asks] = useState(rows.length > 1);
  const end = (event?: Event) => {
    event?.preventDefault();
    hideOverlay();
    void endAll(rows);
  };
  useLayoutEffect(() => {
    if (!asks) end();
  }, []);
  if (!asks) return null;
  return (
    <Dialog title={plural(text.endAllTitle, rows.length)} isLight onClose={hideOverlay}>
      <form class="dialog-form" onSubmit={end}>
        <p>{text.endAllHint}</p>
        <DialogButtons isDisabled={rows.length === 0}>{text.endAllNow}</DialogButtons>
      </form>
    </Dialog>
  );
}
