import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { Icon } from '../../ui/parts/icon.js';

/** A value with a Copy button. If the browser forbids copying, the value is selected. */
export function CopyField({ label, value, isLong = false }: { label: string; value: string; isLong?: boolean }) {
  const text = strings.value;
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [said, say] = useState('');
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => say(''), 3_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () => {
    field.current!.select();
    const copied = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => say(text.copied),
      () => say(adminStrings.value.copyByHand),
    );
  };
  return (
    <div class="field">
      <label for={id} class="field-name">
        {label}
      </label>
      <span class={`copy-field ${isLong ? 'long' : ''}`}>
        {isLong ? (
          <textarea
            ref={field}
            id={id}
            class="code"
            rows={Math.min(value.split('\n').length + 1, 14)}
            readOnly
            value={value}
            spellcheck={false}
            dir="ltr"
          />
        ) : (
          <input ref={field} id={id} class="code" readOnly value={value} spellcheck={false} dir="ltr" />
        )}
        <button type="button" class="button" onClick={copy}>
          <Icon name={said === text.copied ? 'check' : 'copy'} />
          {text.copy}
        </button>
      </span>
      <span class="small said" role="status">
        {said}
      </span>
    </div>
  );
}

/** A value that is shown only once. */
export interface Secret {
  title: string;
  /** What to do with it. */
  hint: string;
  label: string;
  value: string;
}

/** Shows a secret that can't be shown again. Only its button closes it. */
export function SecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { title, hint, label, value } = secret;
  const text = adminStrings.value;
  return (
    <Dialog title={title} form="wide" isKept onClose={onClose}>
      <div class="dialog-form">
        <p>{hint}</p>
        <CopyField label={label} value={value} />
        <p class="warning">
          <Icon name="alert" />
          {text.shownOnce}
        </p>
        <footer>
          <button type="button" class="button primary" onClick={onClose}>
            {text.kept}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
