import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../api/request.js';
import { isSame, keepTyped } from '../../lib/merge.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { guardLeaving } from '../../state/route.js';
import { useIsShown } from '../../ui/parts/use-is-shown.js';
import { onceDrawn } from '../../ui/screen.js';
import { explainHere } from '../parts/explain.js';

/** The values of a form, and the state of saving them. */
export interface FormState<V extends object> {
  values: V;
  set: <K extends keyof V & string>(name: K, value: V[K]) => void;
  isDirty: boolean;
  isBusy: boolean;
  /** The error of the form as a whole. */
  failure: string;
  /** The error of each field, by the field's name. */
  faults: Record<string, string>;
  submit: (event?: Event) => void;
  reset: () => void;
  /**
   * Replaces the saved values. What was typed since the form was submitted stays, as an unsaved change.
   * @param values the values to show; default: the saved ones
   */
  rebase: (saved: V, values?: V) => void;
  /** Whether something was typed since the form was submitted, such as while it was being saved. */
  hasTyped: () => boolean;
  /** Whether the form is still shown: an answer that comes later must not close another dialog. */
  isShown: { readonly current: boolean };
}

/** The administrator canceled a save. This isn't an error. */
export class Canceled extends Error {}

export interface FormOptions {
  /** Asks before the page is left with changes. */
  guards?: boolean;
  /** Explains an error that the form knows more about than its code says. */
  explains?: (error: unknown) => string | undefined;
}

const IDLE = { isBusy: false, failure: '', faults: {} as Record<string, string> };

/**
 * A form over a copy of `initial`. `save` throws the service's rejection, whose pointers name the fields, and may return the values
 * as the service stored them.
 */
export function useForm<V extends object>(
  initial: V,
  save: (values: V) => Promise<V | void>,
  { guards = false, explains }: FormOptions = {},
): FormState<V> {
  const [saved, setSaved] = useState(initial);
  const [state, setState] = useState(IDLE);
  /** The values that were submitted or loaded last: differences from them were typed since. */
  const settled = useRef(initial);
  const [current, show] = useCurrent(initial);
  const isDirty = !isSame(current.current, saved);
  const dirty = useGuard(guards, isDirty);
  const isShown = useIsShown();
  const onFailure = (error: unknown, form: HTMLFormElement | null) => {
    dirty.current = isDirty;
    if (error instanceof Canceled) return setState(IDLE);
    setState(toFailure(error, explains));
    onceDrawn(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  const work = async (form: HTMLFormElement | null) => {
    const values = current.current;
    setState({ ...IDLE, isBusy: true });
    // Leaving the page while it saves loses nothing, so it doesn't ask.
    dirty.current = false;
    settled.current = values;
    try {
      checkShown(form);
      const stored = await save(values);
      if (!isShown.current) return;
      setSaved(stored ?? values);
      setState(IDLE);
    } catch (error) {
      if (isShown.current) onFailure(error, form);
    }
  };
  return {
    values: current.current,
    isDirty,
    ...state,
    set: (name, value) => {
      show({ ...current.current, [name]: value });
      setState((before) => ({ ...before, faults: withoutFaults(before.faults, name) }));
    },
    submit: (event) => {
      event?.preventDefault();
      if (!state.isBusy) void work(event?.target instanceof HTMLFormElement ? event.target : null);
    },
    reset: () => {
      settled.current = saved;
      show(saved);
      setState(IDLE);
    },
    rebase: (next, shown = next) => {
      const before = settled.current;
      settled.current = shown;
      setSaved(next);
      show(keepTyped(shown, before, current.current));
    },
    hasTyped: () => !isSame(current.current, settled.current),
    isShown,
  };
}

function toFailure(error: unknown, explains: FormOptions['explains']): typeof IDLE {
  const faults = faultsOf(error);
  const failure = Object.keys(faults).length > 0 ? adminStrings.value.checkFields : '';
  return { isBusy: false, failure: failure || (explains?.(error) ?? explainHere(error)), faults };
}

/** The faults that stay when a field changes: the ones of its parts were about its former value. */
function withoutFaults(faults: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(faults).filter(([key]) => !`${key}/`.startsWith(`${name}/`)));
}

/** The values that are shown, and a function that replaces them. The reference is never behind what was typed. */
function useCurrent<V>(initial: V): [current: RefObject<V>, show: (next: V) => void] {
  const current = useRef(initial);
  const [, draw] = useState(initial);
  const show = (next: V) => {
    current.current = next;
    draw(next);
  };
  return [current, show];
}

/** Whether there are changes to ask about. @param guards whether the page asks before it's left with changes */
function useGuard(guards: boolean, isDirty: boolean): RefObject<boolean> {
  const dirty = useRef(isDirty);
  dirty.current = isDirty;
  useEffect(() => (guards ? guardLeaving(() => dirty.current) : undefined), []);
  return dirty;
}

/** What the browser finds wrong with the fields, by their names. */
class Invalid extends Error {
  constructor(readonly faults: Record<string, string>) {
    super('A field is invalid');
  }
}

/** Checks the shown fields. The forms are `noValidate`, so that their errors look like the service's. @throws Invalid */
function checkShown(form: HTMLFormElement | null): void {
  const fields = [...(form?.elements ?? [])] as HTMLInputElement[];
  const faulty = fields.filter(({ name, validity }) => name && validity && !validity.valid);
  const faults = faulty.map(({ name, validationMessage }) => [name, validationMessage] as const);
  if (faults.length > 0) throw new Invalid(Object.fromEntries(faults));
}

/** The errors by the name of the field. */
function faultsOf(error: unknown): Record<string, string> {
  if (error instanceof Invalid) return error.faults;
  if (!(error instanceof Refusal)) return {};
  // By the field, by the part of it that's wrong, and by that part's own name: a form may show the fields of one object.
  const entries = (error.members.errors ?? []).flatMap(({ pointer, detail }) => {
    const [, ...names] = (pointer ?? '').split('/');
    return [names[0], names.join('/'), names.at(-1)].map((name): [string, string] => [name ?? '', detail]);
  });
  return Object.fromEntries(entries.filter(([name]) => name !== ''));
}
