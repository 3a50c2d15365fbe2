import { useState } from 'preact/hooks';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Checks the fields of a form that is `noValidate`. The first wrong field is marked, explained, and focused, as in the settings, instead of by
 * the browser in its own language.
 */
export function useFaults() {
  const [name, setName] = useState('');
  /** Whether all fields are right. Spaces alone are an empty field. */
  const check = (form: HTMLFormElement): boolean => {
    const fields = [...form.elements] as Field[];
    const faulty = fields.find(
      ({ validity, required, type, value }) => !validity.valid || (required && type !== 'password' && !value.trim()),
    );
    setName(faulty?.name ?? '');
    faulty?.focus();
    return !faulty;
  };
  /** The attributes of a field, and its error. @param words the error */
  const of = (field: string, words: string) => {
    const isFaulty = field === name;
    const id = `${field}-fault`;
    return {
      attributes: {
        name: field,
        'aria-invalid': isFaulty || undefined,
        'aria-describedby': isFaulty ? id : undefined,
        onInput: () => isFaulty && setName(''),
      },
      fault: isFaulty && (
        <p class="failure small" id={id}>
          {words}
        </p>
      ),
    };
  };
  return { check, of };
}

/** The attributes and the error of one field. */
export type CheckedField = ReturnType<ReturnType<typeof useFaults>['of']>;
