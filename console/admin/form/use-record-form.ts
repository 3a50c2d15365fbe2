import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../../api/request.js';
import { changedFields, type Fields, overlap } from '../../lib/merge.js';
import { changeVersion } from '../api.js';
import { type Conflict, readConflict } from './conflict.js';
import { Canceled, type FormOptions, type FormState, useForm } from './use-form.js';

/** Attempts to save a resource that others keep changing. */
const MOST_TRIES = 5;

interface RecordOptions<T extends object, V extends object> extends FormOptions {
  /** The full path of the resource. */
  path: string;
  /** The member of the record that has the fields. Default: the record itself. */
  member?: keyof T & string;
  toValues: (record: T) => V;
  /** The request body with all values. */
  toFields: (values: V) => Fields;
  /** Sends changed fields with the version that they are based on. Default: as a PATCH. */
  sends?: (fields: Fields, before: T) => Promise<T>;
  /** Reads what `toFields` depends on. */
  prepares?: () => Promise<unknown>;
  /** Asks before these fields are changed; false cancels the save. */
  confirms?: (fields: Fields, before: T) => Promise<boolean> | boolean;
  /** @param isComplete whether its dialog may be closed: nothing was typed while it was saved, and it's still shown */
  onSaved: (record: T, isComplete: boolean) => void;
}

/** A form over a resource of the service. */
export interface RecordForm<V extends object> extends FormState<V> {
  /** Fields that someone else changed too, until the administrator has chosen. */
  conflict: Conflict | null;
}

/**
 * A form over a resource that others change too. It sends the changed fields with the version they are based on. If someone else
 * changed other fields, both changes are kept; if they changed the same field, the administrator chooses.
 */
export function useRecordForm<T extends object, V extends object>(
  record: T,
  { path, member, toValues, toFields, sends, prepares, confirms, onSaved, ...options }: RecordOptions<T, V>,
): RecordForm<V> {
  const base = useRef(record);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const fieldsOf = (one: T) => toFields(toValues(one));
  const withFields = (one: T, fields: Fields): T =>
    member === undefined ? { ...one, ...fields } : { ...one, [member]: { ...one[member], ...fields } };
  const choose = async (mine: Fields, theirs: T): Promise<Fields> => {
    const [before, now] = [fieldsOf(base.current), fieldsOf(theirs)];
    const names = overlap(before, mine, now);
    if (names.length === 0) return mine;
    const found = await readConflict(path, names, mine, now);
    const chosen = await new Promise<Fields | null>((resolve) => setConflict({ ...found, resolve }));
    setConflict(null);
    if (!chosen) throw new Canceled();
    return changedFields(now, { ...mine, ...chosen });
  };
  const send = async (mine: Fields, tries: number): Promise<T> => {
    if (Object.keys(mine).length === 0) return base.current;
    if (confirms && !(await confirms(mine, base.current))) throw new Canceled();
    try {
      const body = member === undefined ? mine : { [member]: mine };
      return await (sends?.(mine, base.current) ?? changeVersion<T>(path, body, base.current));
    } catch (error) {
      if ((error as { code?: string }).code !== 'precondition_failed' || tries === MOST_TRIES) throw error;
      const theirs = await request<T>('GET', path);
      const chosen = await choose(mine, theirs);
      base.current = theirs;
      form.rebase(toValues(theirs), toValues(withFields(theirs, chosen)));
      return send(chosen, tries + 1);
    }
  };
  const form = useForm(
    toValues(record),
    async (values) => {
      // What someone else changes while this prepares isn't a change of this form.
      const from = base.current;
      await prepares?.();
      const saved = await send(changedFields(fieldsOf(from), toFields(values)), 1);
      base.current = saved;
      form.rebase(toValues(saved));
      onSaved(saved, form.isShown.current && !form.hasTyped());
      return toValues(saved);
    },
    { guards: true, ...options },
  );
  // Another part of the page changed the resource or read it again. Unsaved changes stay.
  useEffect(() => {
    if (record === base.current) return;
    const [before, now] = [fieldsOf(base.current), fieldsOf(record)];
    const mine = changedFields(before, toFields(form.values));
    if (overlap(before, mine, now).length > 0) return;
    base.current = record;
    form.rebase(toValues(record), toValues(withFields(record, mine)));
  }, [record]);
  return { ...form, conflict };
}
