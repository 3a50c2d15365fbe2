import { useRef } from 'preact/hooks';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { type FormOptions, type FormState, useForm } from './use-form.js';

interface CreateOptions<T, V extends object> extends FormOptions {
  create: (values: V) => Promise<T>;
  /** Updates the created item with values that were typed during the request. */
  update: (made: T, values: V) => Promise<T>;
  onDone: (made: T) => void;
  /** Closes the dialog when nothing was created. */
  onClose: () => void;
}

/** A form in a dialog that creates a resource. */
export interface CreateForm<V extends object> extends FormState<V> {
  /** Closes the dialog. If the resource was created, this continues with it. */
  close: () => void;
}

/**
 * A form that creates a resource. If something was typed while it was being created, the dialog stays open, and the next save
 * changes the new resource.
 */
export function useCreateForm<T, V extends object>(
  initial: V,
  { create, update, onDone, onClose, ...options }: CreateOptions<T, V>,
): CreateForm<V> {
  const made = useRef<T | null>(null);
  const form = useForm(
    initial,
    async (values) => {
      const saved = made.current === null ? await create(values) : await update(made.current, values);
      made.current = saved;
      if (form.hasTyped()) notify(adminStrings.value.saved);
      else onDone(saved);
    },
    options,
  );
  return { ...form, close: () => (made.current === null ? onClose() : onDone(made.current)) };
}
