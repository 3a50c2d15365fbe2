import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { Refusal } from '../api/request.js';
import { keepTyped } from '../lib/merge.js';
import { adminStrings } from '../locales/admin-strings.js';
import { strings } from '../locales/strings.js';
import { guardLeaving } from '../state/route.js';
import { onceDrawn } from '../ui/screen.js';
import { type Conflict, ConflictDialog } from './conflict.js';
import { explainHere } from './explain.js';

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

interface FieldProps<V extends object> {
  form: FormState<V>;
  name: keyof V & string;
  label: string;
  hint?: ComponentChildren;
  /** What is said when the service refuses the value; else what the service says. */
  rule?: string;
}

/** The label, the explanation and the fault of a field, and how the field refers to them. */
function useField<V extends object>({ form, name, label, hint, rule }: FieldProps<V>) {
  const id = useId();
  const fault = form.faults[name];
  const words = fault && (rule ?? fill(adminStrings.value.refused, { detail: fault }));
  const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  return {
    attributes: { id, name, 'aria-invalid': fault ? true : undefined, 'aria-describedby': describedBy },
    label: (
      <label for={id} class="field-name">
        {label}
      </label>
    ),
    legend: <legend class="field-name">{label}</legend>,
    describedBy,
    notes: (
      <>
        {hint && (
          <p class="hint small" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        {fault && (
          <p class="fault small" id={`${id}-fault`}>
            {words}
          </p>
        )}
      </>
    ),
  };
}

type InputAttributes = preact.InputHTMLAttributes<HTMLInputElement>;

/** One line of text. */
export function TextField<V extends object>({
  input,
  ...props
}: FieldProps<V> & { input?: InputAttributes }): preact.JSX.Element {
  const { attributes, label, notes } = useField(props);
  const { form, name } = props;
  return (
    <div class="field">
      {label}
      <input
        type="text"
        autocomplete="off"
        dir="auto"
        {...input}
        {...attributes}
        value={form.values[name] as string}
        onInput={({ currentTarget: { value } }) => form.set(name, value as V[typeof name])}
      />
      {notes}
    </div>
  );
}

/** A whole number. An empty field is NaN, which no range allows. */
export function NumberField<V extends object>({
  unit,
  min,
  max,
  ...props
}: FieldProps<V> & { unit: string; min: number; max: number }): preact.JSX.Element {
  const { attributes, label, notes } = useField(props);
  const { form, name } = props;
  const value = form.values[name] as number;
  return (
    <div class="field">
      {label}
      <span class="amount">
        <input
          type="number"
          required
          min={min}
          max={max}
          step={1}
          {...attributes}
          value={Number.isNaN(value) ? '' : value}
          onInput={({ currentTarget: { valueAsNumber } }) => form.set(name, valueAsNumber as V[typeof name])}
        />
        {unit}
      </span>
      {notes}
    </div>
  );
}

/** A longer text. */
export function TextArea<V extends object>({
  area,
  ...props
}: FieldProps<V> & { area?: preact.TextareaHTMLAttributes<HTMLTextAreaElement> }): preact.JSX.Element {
  const { attributes, label, notes } = useField(props);
  const { form, name } = props;
  return (
    <div class="field">
      {label}
      <textarea
        rows={4}
        dir="auto"
        {...area}
        {...attributes}
        value={form.values[name] as string}
        onInput={({ currentTarget: { value } }) => form.set(name, value as V[typeof name])}
      />
      {notes}
    </div>
  );
}

interface Choice<T> {
  value: T;
  name: string;
  hint?: ComponentChildren;
  isDisabled?: boolean;
  /** Fields that belong to this choice, shown while it is chosen. */
  more?: ComponentChildren;
}

/** One of several, each with a sentence of what it means. */
export function Choices<V extends object, T extends string>({
  choices,
  ...props
}: FieldProps<V> & { choices: readonly Choice<T>[] }): preact.JSX.Element {
  const { attributes, legend, notes, describedBy } = useField(props);
  const { form, name } = props;
  return (
    <fieldset class="field choices-field" aria-describedby={describedBy}>
      {legend}
      {choices.map(({ value, name: words, hint, isDisabled, more }) => (
        <div key={value}>
          <label class="choice-line">
            <input
              type="radio"
              name={attributes.id}
              value={value}
              disabled={isDisabled}
              checked={form.values[name] === value}
              onChange={() => form.set(name, value as unknown as V[typeof name])}
            />
            <span>
              <b>{words}</b>
              {hint && <span class="hint small">{hint}</span>}
            </span>
          </label>
          {form.values[name] === value && more && <div class="choice-more">{more}</div>}
        </div>
      ))}
      {notes}
    </fieldset>
  );
}

/** Some of several. */
export function Checks<V extends object>({
  choices,
  empty,
  ...props
}: FieldProps<V> & { choices: readonly Choice<string>[]; empty?: string }): preact.JSX.Element {
  const { legend, notes, describedBy } = useField(props);
  const { form, name } = props;
  const chosen = form.values[name] as readonly string[];
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    form.set(name, next as V[typeof name]);
  };
  return (
    <fieldset class="field choices-field" aria-describedby={describedBy}>
      {legend}
      {choices.length === 0 && <p class="hint">{empty}</p>}
      <div class="checks">
        {choices.map(({ value, name: words, hint }) => (
          <label class="choice-line" key={value}>
            <input
              type="checkbox"
              value={value}
              checked={chosen.includes(value)}
              aria-invalid={form.faults[name] ? true : undefined}
              onChange={() => toggle(value)}
            />
            <span>
              <bdi>{words}</bdi>
              {hint && <span class="hint small">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {notes}
    </fieldset>
  );
}

interface SaveLineProps<V extends object> {
  form: FormState<V>;
  name: string;
  /** Beside the button: ends a dialog, or takes the changes back. */
  cancel?: { name: string; run: () => void };
  /** Whether it can be pressed without a change. */
  always?: boolean;
}

/** What went wrong, and the buttons at the end of a form. */
function SaveLine<V extends object>({ form, name, cancel, always = false }: SaveLineProps<V>) {
  const { isBusy, isDirty, failure } = form;
  return (
    <div class="save-line">
      <p class="failure" role="alert">
        {failure}
      </p>
      {cancel && (always || isDirty) && (
        <button type="button" class="button" onClick={cancel.run}>
          {cancel.name}
        </button>
      )}
      <button type="submit" class="button primary" disabled={isBusy || (!always && !isDirty)}>
        {isBusy ? adminStrings.value.saving : name}
      </button>
    </div>
  );
}

interface Conflicted {
  conflict?: Conflict | null;
}

/** The end of a form on a page: what was changed is saved or taken back. */
export function SavePageLine<V extends object>({ form }: { form: FormState<V> & Conflicted }) {
  const text = adminStrings.value;
  return (
    <>
      <SaveLine form={form} name={text.save} cancel={{ name: text.takeBack, run: form.reset }} />
      {form.conflict && <ConflictDialog conflict={form.conflict} />}
    </>
  );
}

/** The end of a form in a dialog. */
export function DialogSaveLine<V extends object>({
  form,
  name,
  onClose,
}: {
  form: FormState<V> & Conflicted;
  name: string;
  onClose: () => void;
}) {
  return (
    <>
      <SaveLine form={form} name={name} cancel={{ name: strings.value.cancel, run: onClose }} always />
      {form.conflict && <ConflictDialog conflict={form.conflict} />}
    </>
  );
}
