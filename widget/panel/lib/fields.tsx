import type { Answers, FormField } from '../../../headless/form.js';

interface FieldsProps {
  fields: readonly FormField[];
  /** Stands beside the label of a field that may stay empty. */
  optional: string;
}

/** The code points that the service takes of each kind. */
const LENGTHS: Partial<Record<FormField['type'], number>> = { text: 500, textarea: 2_000, email: 254, tel: 50 };

/** The fields of a form. The browser checks what is typed. */
export function Fields({ fields, optional }: FieldsProps) {
  return (
    <>
      {fields.map((field) => (
        <label class={field.type === 'checkbox' ? 'check' : ''}>
          <span>
            <bdi>{field.label}</bdi> {!field.isRequired && field.type !== 'checkbox' && <small>({optional})</small>}
          </span>
          <Field field={field} />
        </label>
      ))}
    </>
  );
}

function Field({ field: { key: name, type, isRequired: required, options } }: { field: FormField }) {
  const maxLength = LENGTHS[type];
  const given = { name, required, dir: 'auto' } as const;
  if (type === 'textarea') return <textarea {...given} maxLength={maxLength} rows={3} />;
  if (type === 'select') {
    return (
      <select {...given}>
        <option value="" />
        {options.map((option) => (
          <option value={option}>{option}</option>
        ))}
      </select>
    );
  }
  // An address that the browser takes may be none for the service: `a@b`.
  const pattern = type === 'email' ? '[^@]+@[^@]+[.][^@]{2,}' : undefined;
  // The types of Preact know no union here.
  return <input {...given} type={type as 'text'} maxLength={maxLength} pattern={pattern} step="any" />;
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
