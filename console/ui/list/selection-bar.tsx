import { fill } from '../../../headless/text.js';
import type { Row } from '../../api/types.js';
import { plural, strings } from '../../locales/strings.js';
import { allows, type BulkAction, stopBulk, takeAll } from '../../state/bulk.js';
import { isConnected } from '../../state/connection.js';
import { bulkRun, endSelecting, selectAll, selectedRows } from '../../state/inbox/selection.js';
import { overlay } from '../screen.js';

/** What can be done with the selected chats, or how far that has come. */
export function SelectionBar() {
  const text = strings.value;
  const rows = selectedRows.value;
  const { value: running } = bulkRun;
  return (
    <div class="selection-bar" role="group" aria-label={text.selection}>
      <p role="status">
        {running
          ? fill(text.bulkRunning, { done: running.done, total: running.total })
          : plural(text.selectedCount, rows.length)}
      </p>
      {running ? (
        <button type="button" class="button small" onClick={stopBulk}>
          {text.stopBulk}
        </button>
      ) : (
        <>
          <button type="button" class="button small" onClick={() => void selectAll()}>
            {text.selectAll}
          </button>
          {ACTIONS.map(({ action, name, letter, run }) => (
            <button
              key={action}
              type="button"
              class="button small"
              data-key={letter}
              disabled={!isConnected.value || !rows.some((row) => allows(action, row))}
              onClick={() => run(rows)}
            >
              {text[name]}
            </button>
          ))}
          <button type="button" class="button small quiet" onClick={endSelecting}>
            {text.cancel}
          </button>
        </>
      )}
    </div>
  );
}

interface SelectionAction {
  action: BulkAction;
  name: 'closeChat' | 'claim' | 'transfer' | 'snooze';
  /** Its key. */
  letter: string;
  run: (rows: readonly Row[]) => void;
}

const ACTIONS: readonly SelectionAction[] = [
  { action: 'take', name: 'claim', letter: 'c', run: (rows) => void takeAll(rows) },
  { action: 'move', name: 'transfer', letter: 't', run: () => (overlay.value = 'move') },
  { action: 'snooze', name: 'snooze', letter: 's', run: () => (overlay.value = 'snoozeAll') },
  { action: 'end', name: 'closeChat', letter: 'e', run: () => (overlay.value = 'endAll') },
];
