import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../api/request.js';
import { keepTyped } from '../../lib/merge.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { guardLeaving } from '../../state/route.js';
import { onceDrawn } from '../../ui/screen.js';
import { explainHere } from '../parts/explain.js';

/** The values of a form, and how saving them went. */
export interface FormState<V extends object> {
  values: V;
  set: <K extends keyof V & string>(name: K, value: V[K]) => void;
  isDirty: boolean;
  isBusy: boolean;
  /** What went wrong with all of it. */
  failure: string;
  /** What the service finds wrong with a field, by the field's name. */
  faults: Record<string, string>;
  submit: (event?: Event) => void;
  reset: () => void;
  /**
   * Takes other values as the saved ones. What was typed since the form was submitted stays, as a change.
   * @param values what is shown; omitted: what is saved
   */
  rebase: (saved: V, values?: V) => void;
}

/** The administrator has taken a save back: nothing is wrong. */
export class Canceled extends Error {}

export interface FormOptions {
  /** Asks before the page is left with changes. */
  guards?: boolean;
  /** Says what a failure means, where the form knows more than its code. */
  explains?: (error: unknown) => string | undefined;
}

/**
 * A form over a copy of `initial`. `save` throws what the service refuses, whose pointers name the fields, and may answer with what
 * the service has made of the values.
 */
export function useForm<V extends object>(
  initial: V,
  save: (values: V) => Promise<V | void>,
  { guards = false, explains }: FormOptions = {},
): FormState<V> {
  const [values, setValues] = useState(initial);
  const [saved, setSaved] = useState(initial);
  /** The values that were submitted or loaded last: what differs from them was typed since. */
  const settled = useRef(initial);
  const [state, setState] = useState({ isBusy: false, failure: '', faults: {} as Record<string, string> });
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved);
  const dirty = useRef(false);
  dirty.current = isDirty;
  const isAlive = useRef(true);
  useEffect(() => {
    isAlive.current = true;
    return () => void (isAlive.current = false);
  }, []);
  useEffect(() => (guards ? guardLeaving(() => dirty.current) : undefined), []);
  const work = async (form: HTMLFormElement | null) => {
    setState({ isBusy: true, failure: '', faults: {} });
    try {
      // What is being saved is no reason to ask before the page is left.
      dirty.current = false;
      settled.current = values;
      const stored = await save(values);
      if (!isAlive.current) return;
      setSaved(stored ?? values);
      setState({ isBusy: false, failure: '', faults: {} });
    } catch (error) {
      if (!isAlive.current) return;
      dirty.current = isDirty;
      if (error instanceof Canceled) return setState({ isBusy: false, failure: '', faults: {} });
      const faults = faultsOf(error);
      const failure = Object.keys(faults).length > 0 ? adminStrings.value.checkFields : '';
      setState({ isBusy: false, failure: failure || (explains?.(error) ?? explainHere(error)), faults });
      onceDrawn(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    }
  };
  return {
    values,
    isDirty,
    ...state,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setState((before) => ({ ...before, faults: { ...before.faults, [name]: '' } }));
    },
    submit: (event) => {
      event?.preventDefault();
      if (!state.isBusy) void work(event?.target instanceof HTMLFormElement ? event.target : null);
    },
    reset: () => {
      settled.current = saved;
      setValues(saved);
      setState({ isBusy: false, failure: '', faults: {} });
    },
    rebase: (next, shown = next) => {
      const before = settled.current;
      settled.current = shown;
      setSaved(next);
      setValues((current) => keepTyped(shown, before, current));
    },
  };
}

/** What the service finds wrong, by the name of the field. */
function faultsOf(error: unknown): Record<string, string> {
  if (!(error instanceof Refusal)) return {};
  const entries = (error.members.errors ?? []).map(({ pointer, detail }): [string, string] => [
    (pointer ?? '').split('/')[1] ?? '',
    detail,
  ]);
  return Object.fromEntries(entries.filter(([name]) => name !== ''));
}
