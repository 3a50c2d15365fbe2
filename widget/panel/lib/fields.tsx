import { useState } from 'preact/hooks';
import type { Answers, FormField } from '../../../headless/form.js';

/** A field, with what only the widget's own ones have. */
export interface ShownField extends FormField {
  maxLength?: number;
  autocomplete?: string;
}

interface FieldsProps {
  fields: readonly ShownField[];
  /** Stands beside the label of a field that may stay empty. */
  optional: string;
}

/** The code points that the service takes of each kind. */
const LENGTHS: Partial<Record<FormField['type'], number>> = { text: 500, textarea: 2_000, email: 254, tel: 50 };
/** The bytes of answers that fit into metadata, which has the page too. */
const MAX_BYTES = 7_168;

/** The fields of a form. The browser checks what is typed, and says beside the field what's wrong. */
export function Fields({ fields, optional }: FieldsProps) {
  return (
    <>
      {fields.map((field) => (
        <Field field={field} optional={optional} />
      ))}
    </>
  );
}

function Field({ field, optional }: { field: ShownField; optional: string }) {
  const { label, type, isRequired } = field;
  const [fault, setFault] = useState('');
  const isCheck = type === 'checkbox';
  return (
    <label
      class={isCheck ? 'check' : ''}
      onInput={() => setFault('')}
      onInvalidCapture={(event) => {
        event.preventDefault();
        const input = event.target as HTMLInputElement;
        setFault(input.validationMessage);
        if (input.form!.querySelector('[name]:invalid') === input) input.focus();
      }}
    >
      <span>
        <bdi>{label}</bdi> {!isRequired && !isCheck && <small>({optional})</small>}
      </span>
      <Input field={field} isFaulty={!!fault} />
      {fault && (
        <small class="fault">
          <bdi>{fault}</bdi>
        </small>
      )}
    </label>
  );
}

function Input({ field, isFaulty }: { field: ShownField; isFaulty: boolean }) {
  const { key: name, type, isRequired: required, options, optionLabels, placeholder, autocomplete } = field;
  const { maxLength = LENGTHS[type] } = field;
  const given = { name, required, placeholder, dir: 'auto', 'aria-invalid': isFaulty } as const;
  if (type === 'textarea') return <textarea {...given} maxLength={maxLength} rows={3} />;
  if (type === 'select') {
    return (
      <select {...given}>
        <option value="">{placeholder}</option>
        {options.map((option, at) => (
          <option value={option}>{optionLabels[at]}</option>
        ))}
      </select>
    );
  }
  // An address that the browser takes may be none for the service: `a@b`.
  const pattern = type === 'email' ? '[^@]+@[^@]+[.][^@]{2,}' : undefined;
  return (
    <input
      {...given}
      // The types of Preact know no union here.
      type={type as 'text'}
      maxLength={maxLength}
      pattern={pattern}
      step="any"
      inputmode={type === 'number' ? 'decimal' : undefined}
      // Their names are the same.
      autocomplete={autocomplete ?? (pattern || type === 'tel' ? (type as 'tel') : undefined)}
    />
  );
}

/** What was typed into the fields. */
export function answersIn(form: HTMLFormElement, fields: readonly FormField[]): Answers {
  const given = new FormData(form);
  const answers: Answers = {};
  for (const { key, type } of fields) {
    const value = ((given.get(key) as string | null) ?? '').trim();
    if (type === 'checkbox') answers[key] = value === 'on';
    else if (value) answers[key] = type === 'number' ? Number(value) : value;
  }
  return answers;
}

/** Whether the answers don't fit into metadata. */
export function areTooLong(answers: Answers): boolean {
  return new TextEncoder().encode(JSON.stringify(answers)).length > MAX_BYTES;
}
