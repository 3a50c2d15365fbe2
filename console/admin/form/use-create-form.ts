import { useRef } from 'preact/hooks';
import { request } from '../../api/request.js';
import { changedFields, type Fields, overlap } from '../../lib/merge.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { changeVersion } from '../api.js';
import { type FormOptions, type FormState, useForm } from './use-form.js';

interface CreateOptions<T, V extends object> extends FormOptions {
  create: (values: V) => Promise<T>;
  /** The full path of the created resource. */
  pathOf: (made: T) => string;
  /** The fields of the created resource. Default: the values. */
  toFields?: (values: V) => Fields;
  /** Called after the dialog is closed. @param wasShown false if it was closed before the resource was created */
  onDone: (made: T, wasShown: boolean) => void;
  /** Closes the dialog. */
  onClose: () => void;
}

/** A form in a dialog that creates a resource. */
export interface CreateForm<V extends object> extends FormState<V> {
  /** Closes the dialog. If the resource was created, this continues with it. */
  close: () => void;
}

/**
 * A form that creates a resource. If something was typed while it was being created, the dialog stays open, and the next save
 * changes these fields of the new resource.
 */
export function useCreateForm<T extends object, V extends object>(
  initial: V,
  {
    create,
    pathOf,
    toFields = (values) => ({ ...values }) as Fields,
    onDone,
    onClose,
    ...options
  }: CreateOptions<T, V>,
): CreateForm<V> {
  const made = useRef<T | null>(null);
  /** The fields of the last save. */
  const sent = useRef<Fields>({});
  const finish = (one: T) => {
    const { current: wasShown } = form.isShown;
    if (wasShown) onClose();
    onDone(one, wasShown);
  };
  const form = useForm(
    initial,
    async (values) => {
      const fields = toFields(values);
      const { current } = made;
      const saved = await (current
        ? changeLatest(pathOf(current), changedFields(sent.current, fields), current)
        : create(values));
      made.current = saved;
      sent.current = fields;
      if (form.isShown.current && form.hasTyped()) notify(adminStrings.value.saved);
      else finish(saved);
    },
    options,
  );
  return { ...form, close: () => (made.current === null ? onClose() : finish(made.current)) };
}

/**
 * Changes fields of a resource whose other fields may have changed since, in at most three tries. @throws Refusal precondition_failed if these
 * fields have too
 */
export async function changeLatest<T extends object>(path: string, fields: Fields, before: T, tries = 3): Promise<T> {
  try {
    return await changeVersion(path, fields, before);
  } catch (error) {
    if ((error as { code?: string }).code !== 'precondition_failed' || tries === 1) throw error;
    const latest = await request<T>('GET', path);
    if (overlap(before as Fields, fields, latest as Fields).length > 0) throw error;
    return changeLatest(path, fields, latest, tries - 1);
  }
}
