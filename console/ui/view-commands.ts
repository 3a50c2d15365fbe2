import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { foldText } from '../../src/platform/locale/fold.js';
import { call, get } from '../api/request.js';
import type { SavedView } from '../api/types.js';
import { ranked } from '../lib/ranking.js';
import { dialogStrings } from '../locales/dialog-strings.js';
import { isSupervisor } from '../state/session.js';
import { askBeforeDeleting } from './conversation/message-actions.js';
import { viewToSave } from './save-view-dialog.js';
import { overlay } from './screen.js';
import type { Command } from './palette-commands.js';

/** The most views that are shown. */
const MAX_VIEWS = 8;

/** The saved views that fit what is typed. What is typed can become one, or is one that can be deleted. */
export function useViewCommands(typed: string, isSearch: boolean): { views: Command[]; actions: Command[] } {
  const [views, setViews] = useState<readonly SavedView[]>([]);
  useEffect(() => {
    get<{ views: SavedView[] }>('/views').then(
      (answer) => setViews(answer.views),
      () => undefined,
    );
  }, []);
  const text = dialogStrings.value;
  const query = typed.trim();
  const wanted = foldText(query);
  const shown = views.find((view) => view.query === query);
  const others = views.filter((view) => view !== shown);
  const fitting = ranked(others, wanted).map(({ one }) => one);
  const commands = fitting.slice(0, MAX_VIEWS).map((view): Command => ({
    key: view.id,
    name: view.name,
    more: view.query,
    icon: view.isShared ? 'users' : 'search',
    completion: view.query,
    run: () => undefined,
  }));
  const mayDelete = shown && (!shown.isShared || isSupervisor());
  const actions: Command[] = mayDelete
    ? [
        {
          key: 'delete view',
          name: fill(text.deleteView, { name: shown.name }),
          icon: 'trash',
          run: () => remove(shown),
        },
      ]
    : isSearch && !shown
      ? [{ key: 'save view', name: text.saveView, icon: 'plus', run: () => save(query) }]
      : [];
  return { views: commands, actions };
}

function save(query: string): void {
  viewToSave.value = query;
  overlay.value = 'saveView';
}

function remove({ id, name, isShared }: SavedView): void {
  const text = dialogStrings.value;
  const hint = isShared ? text.deleteSharedViewHint : text.deleteViewHint;
  const title = `${fill(text.deleteView, { name })}?`;
  askBeforeDeleting({ title, hint, name: text.deleteViewNow, run: () => call('DELETE', `/views/${id}`) });
}
