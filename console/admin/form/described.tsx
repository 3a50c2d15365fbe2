import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';

interface DescribedProps {
  label: string;
  hint?: string;
  /** The path of the value in the resource: the service names its fault so. */
  name: string;
  faults: Record<string, string>;
  /** What's shown in place of the service's message. */
  rule?: string;
  children: (attributes: {
    id: string;
    name: string;
    'aria-invalid'?: true;
    'aria-describedby'?: string;
  }) => ComponentChildren;
}

/** A field of an entry in a list, with its label, hint, and fault. */
export function Described({ label, hint, name, faults, rule, children }: DescribedProps) {
  const id = useId();
  const fault = Object.entries(faults).find(([key, detail]) => detail && `${key}/`.startsWith(`${name}/`))?.[1];
  const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  return (
    <div class="field">
      <label class="field-name" for={id}>
        {label}
      </label>
      {children({ id, name, 'aria-invalid': fault ? true : undefined, 'aria-describedby': describedBy })}
      {hint && (
        <p class="hint small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault small" id={`${id}-fault`}>
          {rule ?? fill(adminStrings.value.refused, { detail: fault })}
        </p>
      )}
    </div>
  );
}
