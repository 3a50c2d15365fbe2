import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { type Conflict, ConflictDialog } from './conflict.js';
import type { FormState } from './use-form.js';

interface SaveLineProps<V extends object> {
  form: FormState<V>;
  name: string;
  /** The second button: closes a dialog, or discards the changes. */
  cancel?: { name: string; run: () => void };
  /** Whether it's enabled without a change. */
  always?: boolean;
}

/** The error and the buttons at the end of a form. */
function SaveLine<V extends object>({ form, name, cancel, always = false }: SaveLineProps<V>) {
  const { isBusy, isDirty, failure } = form;
  const isOff = isBusy || (!always && !isDirty);
  return (
    <div class="save-line">
      <p class="failure" role="alert">
        {failure}
      </p>
      {cancel && (always || isDirty) && (
        <button type="button" class="button" onClick={cancel.run}>
          {cancel.name}
        </button>
      )}
      {/* A button that's really disabled would lose the focus when everything is saved. */}
      <button
        type="submit"
        class="button primary"
        aria-disabled={isOff}
        onClick={(event) => isOff && event.preventDefault()}
      >
        {isBusy ? adminStrings.value.saving : name}
      </button>
    </div>
  );
}

interface Conflicted {
  conflict?: Conflict | null;
}

/** The end of a form on a page. */
export function SavePageLine<V extends object>({ form }: { form: FormState<V> & Conflicted }) {
  const text = adminStrings.value;
  return (
    <>
      <SaveLine form={form} name={text.save} cancel={{ name: text.takeBack, run: form.reset }} />
      {form.conflict && <ConflictDialog conflict={form.conflict} />}
    </>
  );
}

export function DialogSaveLine<V extends object>({
  form,
  name,
  onClose,
}: {
  form: FormState<V> & Conflicted;
  name: string;
  onClose: () => void;
}) {
  return (
    <>
      <SaveLine form={form} name={name} cancel={{ name: strings.value.cancel, run: onClose }} always />
      {form.conflict && <ConflictDialog conflict={form.conflict} />}
    </>
  );
}
