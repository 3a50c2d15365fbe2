import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import type { FormState } from './use-form.js';

interface FieldProps<V extends object> {
  form: FormState<V>;
  name: keyof V & string;
  label: string;
  hint?: ComponentChildren;
  /** Shown when the value is rejected, or a function of the service's message. Default: that message. */
  rule?: string | ((detail: string) => ComponentChildren);
}

/** The label, hint, and error of a field, with the attributes that connect them. */
function useField<V extends object>({ form, name, label, hint, rule }: FieldProps<V>) {
  const id = useId();
  const fault = form.faults[name];
  const value: unknown = form.values[name];
  const { emptyRule, textRule } = adminStrings.value;
  const isEmpty = typeof value === 'string' && value.trim() === '';
  const stated = isEmpty && (rule ?? textRule) === textRule ? emptyRule : rule;
  const explained = typeof stated === 'function' ? stated(fault ?? '') : stated;
  const words = fault && (explained ?? fill(adminStrings.value.refused, { detail: fault }));
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

/** The name of something, which everyone sees. */
export function NameField<V extends { name: string }>({
  form,
  hint,
  autofocus,
}: Pick<FieldProps<V>, 'form' | 'hint'> & { autofocus?: boolean }): preact.JSX.Element {
  const text = adminStrings.value;
  const input = { required: true, maxLength: 200, autofocus };
  return <TextField form={form} name="name" label={text.name} hint={hint} rule={text.textRule} input={input} />;
}

/** A whole number. An empty field is NaN, which no range allows. */
export function NumberField<V extends object>({
  unit,
  min,
  max,
  ...props
}: Omit<FieldProps<V>, 'rule'> & { unit: string; min: number; max: number }): preact.JSX.Element {
  const rule = fill(adminStrings.value.rangeRule, { min, max });
  const { attributes, label, notes } = useField({ ...props, rule });
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

/** A list to choose one from. */
export function SelectField<V extends object>({
  choices,
  ...props
}: FieldProps<V> & { choices: readonly (readonly [value: string, name: string])[] }): preact.JSX.Element {
  const { attributes, label, notes } = useField(props);
  const { form, name } = props;
  return (
    <div class="field">
      {label}
      <select
        {...attributes}
        value={form.values[name] as string}
        onChange={({ currentTarget: { value } }) => form.set(name, value as V[typeof name])}
      >
        {choices.map(([value, words]) => (
          <option key={value} value={value} selected={value === form.values[name]}>
            {words}
          </option>
        ))}
      </select>
      {notes}
    </div>
  );
}

interface Choice<T> {
  value: T;
  name: string;
  hint?: ComponentChildren;
  isDisabled?: boolean;
  /** Fields that are shown while this choice is selected. */
  more?: ComponentChildren;
}

/** Radio buttons, each with a hint. */
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

type NumberProps<V extends object> = Parameters<typeof NumberField<V>>[0];

/** Radio buttons without and with a number. */
export function NumberChoices<V extends object>({
  without,
  withNumber,
  number,
  isNamed = false,
  ...props
}: FieldProps<V> & {
  /** Whether the choice names the number already. */
  isNamed?: boolean;
  without: Choice<string>;
  withNumber: Choice<string>;
  number: Omit<NumberProps<V>, 'form'>;
}): preact.JSX.Element {
  const more = (
    <div class={isNamed ? 'unlabeled' : ''}>
      <NumberField form={props.form} {...number} />
    </div>
  );
  return <Choices {...props} choices={[without, { ...withNumber, more }]} />;
}

/** Checkboxes. */
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
