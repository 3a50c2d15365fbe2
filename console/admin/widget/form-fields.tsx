import { useRef } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { Icon } from '../../ui/parts/icon.js';
import { onceDrawn } from '../../ui/screen.js';
import { Described } from '../form/described.js';
import { EntryHead } from '../form/entry-head.js';
import type { FormState } from '../form/use-form.js';
import { FIELD_TYPES, type FieldDraft, keyFor, newField } from './field-drafts.js';
import type { Values } from './widget-values.js';

const MAX_FIELDS = 6;

/** The organization's own fields of the form before a chat. */
export function FormFields({ form }: { form: FormState<Values> }) {
  const words = adminStrings.value.widget.ownFields;
  const fields = form.values.formFields;
  const list = useRef<HTMLOListElement>(null);
  const set = (next: FieldDraft[]) => form.set('formFields', next);
  const focus = (at: number, selector: string) =>
    onceDrawn(() => list.current?.children[at]?.querySelector<HTMLElement>(selector)?.focus());
  const move = (at: number, by: 1 | -1) => {
    set(fields.with(at, fields[at + by]!).with(at + by, fields[at]!));
    focus(at + by, by < 0 ? '.script-up' : '.script-down');
  };
  const add = useRef<HTMLButtonElement>(null);
  const removeAt = (at: number) => {
    set(fields.filter((_, index) => index !== at));
    if (fields.length > 1) focus(Math.max(0, at - 1), '.script-remove');
    else onceDrawn(() => add.current?.focus());
  };
  const isOfField = Object.keys(form.faults).some((name) => name.startsWith('formFields/'));
  return (
    <fieldset class="field form-fields">
      <legend class="field-name">{words.title}</legend>
      <p class="hint small">{words.hint}</p>
      {form.faults.formFields && !isOfField && (
        <p class="fault small">{fill(adminStrings.value.refused, { detail: form.faults.formFields })}</p>
      )}
      <ol class="script-steps" ref={list}>
        {fields.map((field, at) => (
          <FieldEntry
            key={field.id}
            field={field}
            place={at}
            count={fields.length}
            faults={form.faults}
            others={fields.filter(({ id }) => id !== field.id)}
            set={(changed) => set(fields.with(at, changed))}
            move={(by) => move(at, by)}
            remove={() => removeAt(at)}
          />
        ))}
      </ol>
      {fields.length < MAX_FIELDS && (
        <button
          ref={add}
          type="button"
          class="button small script-add"
          onClick={() => {
            set([...fields, newField()]);
            focus(fields.length, 'input');
          }}
        >
          <Icon name="plus" />
          {words.add}
        </button>
      )}
    </fieldset>
  );
}

interface FieldEntryProps {
  field: FieldDraft;
  /** From 0. */
  place: number;
  count: number;
  others: readonly FieldDraft[];
  faults: Record<string, string>;
  set: (field: FieldDraft) => void;
  move: (by: 1 | -1) => void;
  remove: () => void;
}

function FieldEntry(props: FieldEntryProps) {
  const words = adminStrings.value.widget.ownFields;
  const { field, place, others, faults, set } = props;
  const path = `formFields/${place}`;
  const change = (next: Partial<FieldDraft>) => set({ ...field, ...next });
  const name = (label: string) =>
    change({ label, ...(!field.isKeyOwn && { key: label.trim() && keyFor(label, others) }) });
  return (
    <li class="script-step">
      <EntryHead {...props} name={field.label.trim() || fill(words.field, { number: place + 1 })} isRemovable />
      <div class="pair">
        <Described label={words.label} name={`${path}/label`} faults={faults}>
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={200}
              dir="auto"
              value={field.label}
              onInput={({ currentTarget: { value } }) => name(value)}
            />
          )}
        </Described>
        <Described label={words.key} hint={words.keyHint} name={`${path}/key`} faults={faults} rule={words.keyRule}>
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={64}
              dir="ltr"
              spellcheck={false}
              value={field.key}
              onInput={({ currentTarget: { value } }) => change({ key: value, isKeyOwn: true })}
            />
          )}
        </Described>
      </div>
      <Kind {...props} path={path} change={change} />
    </li>
  );
}

interface PartProps extends FieldEntryProps {
  path: string;
  change: (next: Partial<FieldDraft>) => void;
}

/** The type of a field, its choices, its example, and whether it must be filled in. */
function Kind(props: PartProps) {
  const { field, faults, path, change } = props;
  const words = adminStrings.value.widget.ownFields;
  const { type, options, isRequired } = field;
  return (
    <>
      <Described label={words.type} name={`${path}/type`} faults={faults}>
        {(attributes) => (
          <select
            {...attributes}
            value={type}
            onChange={({ currentTarget: { value } }) => change({ type: value as FieldDraft['type'] })}
          >
            {FIELD_TYPES.map((one) => (
              <option key={one} value={one} selected={one === type}>
                {words.types[one]}
              </option>
            ))}
          </select>
        )}
      </Described>
      {type === 'select' && (
        <Described label={words.options} name={`${path}/options`} faults={faults} rule={words.optionsRule}>
          {(attributes) => (
            <textarea
              {...attributes}
              required
              rows={3}
              dir="auto"
              value={options}
              onInput={({ currentTarget: { value } }) => change({ options: value })}
            />
          )}
        </Described>
      )}
      {type !== 'checkbox' && type !== 'date' && <Example {...props} />}
      <label class="choice-line">
        <input
          type="checkbox"
          checked={isRequired}
          onChange={({ currentTarget: { checked } }) => change({ isRequired: checked })}
        />
        <span>{words.isRequired}</span>
      </label>
    </>
  );
}

/** What is shown in the empty field. */
function Example({ field, faults, path, change }: PartProps) {
  return (
    <Described label={adminStrings.value.widget.ownFields.placeholder} name={`${path}/placeholder`} faults={faults}>
      {(attributes) => (
        <input
          {...attributes}
          maxLength={200}
          dir="auto"
          value={field.placeholder}
          onInput={({ currentTarget: { value } }) => change({ placeholder: value })}
        />
      )}
    </Described>
  );
}
