import { signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { post } from '../api/request.js';
import { dialogStrings } from '../locales/dialog-strings.js';
import { explain } from '../state/explain.js';
import { notify } from '../state/notices.js';
import { isSupervisor } from '../state/session.js';
import { DialogButtons } from './parts/dialog-buttons.js';
import { Dialog } from './parts/dialog.js';
import { useFaults } from './parts/use-faults.js';
import { useIsShown } from './parts/use-is-shown.js';
import { hideOverlay } from './screen.js';

/** The words and filters that get a name. */
export const viewToSave = signal('');

/** Keeps a search under a name, for the agent or for the team. */
export function SaveViewDialog() {
  const text = dialogStrings.value;
  const [isBusy, setBusy] = useState(false);
  const isShown = useIsShown();
  const name = useRef<HTMLInputElement>(null);
  const shared = useRef<HTMLInputElement>(null);
  const { check, of } = useFaults();
  const field = of('view-name', text.viewNameMissing);
  const submit = async (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !check(event.currentTarget)) return;
    setBusy(true);
    try {
      const view = { name: name.current!.value.trim(), query: viewToSave.value, isShared: shared.current?.checked };
      await post('/views', view);
      if (isShown.current) hideOverlay();
      notify(text.viewSaved);
    } catch (error) {
      notify(explain(error), 'trouble');
    }
    setBusy(false);
  };
  return (
    <Dialog title={text.saveView} onClose={hideOverlay}>
      <form class="dialog-form" noValidate onSubmit={submit}>
        <p class="hint" dir="auto">
          {viewToSave.value}
        </p>
        <label for="view-name">{text.viewName}</label>
        <input
          ref={name}
          id="view-name"
          type="text"
          maxLength={100}
          required
          autofocus
          dir="auto"
          {...field.attributes}
        />
        {field.fault}
        {isSupervisor() && (
          <label class="choice-line">
            <input ref={shared} type="checkbox" />
            {text.viewShared}
          </label>
        )}
        <DialogButtons isDisabled={isBusy}>{text.saveViewNow}</DialogButtons>
      </form>
    </Dialog>
  );
}
