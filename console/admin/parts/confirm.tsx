import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { useIsShown } from '../../ui/parts/use-is-shown.js';
import { explainHere } from './explain.js';

interface ConfirmProps {
  title: string;
  hint: ComponentChildren;
  name: string;
  /** Red, for actions that can't be undone. */
  isDanger?: boolean;
  /** A word that must be typed to confirm. */
  typed?: string;
  run: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation, runs the action, and shows its error. */
export function Confirm({ title, hint, name, isDanger = false, typed, run, onClose }: ConfirmProps) {
  const text = adminStrings.value;
  const id = useId();
  const [word, setWord] = useState('');
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isShown = useIsShown();
  const submit = (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure('');
    const onFailure = (error: unknown) => {
      setFailure(explainHere(error));
      setBusy(false);
    };
    run().then(() => isShown.current && onClose(), onFailure);
  };
  const isReady = typed === undefined || word.trim() === typed;
  return (
    <Dialog title={title} isLight onClose={onClose}>
      <form class="dialog-form" onSubmit={submit}>
        <p>{hint}</p>
        {typed !== undefined && (
          <div class="field">
            <label for={id} class="field-name">
              {fill(text.typeWord, { word: typed })}
            </label>
            <input
              id={id}
              value={word}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              autofocus
              onInput={(event) => setWord(event.currentTarget.value)}
            />
          </div>
        )}
        <p class="failure" role="alert">
          {failure}
        </p>
        <footer>
          <button type="button" class="button" onClick={onClose} autofocus={typed === undefined && isDanger}>
            {strings.value.cancel}
          </button>
          <button
            type="submit"
            class={`button ${isDanger ? 'danger' : 'primary'}`}
            disabled={isBusy || !isReady}
            autofocus={!isDanger}
          >
            {isBusy ? text.working : name}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
