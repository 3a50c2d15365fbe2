import { useRef } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { Icon } from '../../ui/parts/icon.js';
import { onceDrawn } from '../../ui/screen.js';
import { Described } from '../form/described.js';
import type { FormState } from '../form/use-form.js';
import { MAX_MESSAGES, type MessageDraft, newMessage } from './proactive-values.js';
import type { Values } from './widget-values.js';

/** The messages beside the closed button. The widget checks their rules in this order. */
export function ProactiveMessages({ form }: { form: FormState<Values> }) {
  const words = adminStrings.value.proactive;
  const messages = form.values.proactiveMessages;
  const list = useRef<HTMLOListElement>(null);
  const set = (next: MessageDraft[]) => form.set('proactiveMessages', next);
  const focus = (at: number, selector: string) =>
    onceDrawn(() => list.current?.parentElement?.querySelectorAll<HTMLElement>(`li ${selector}`)[at]?.focus());
  const move = (at: number, by: 1 | -1) => {
    set(messages.with(at, messages[at + by]!).with(at + by, messages[at]!));
    focus(at + by, by < 0 ? '.script-up' : '.script-down');
  };
  const removeAt = (at: number) => {
    set(messages.filter((_, index) => index !== at));
    if (messages.length > 1) focus(Math.max(0, at - 1), 'textarea');
    else onceDrawn(() => list.current?.parentElement?.querySelector<HTMLElement>('.script-add')?.focus());
  };
  const add = () => {
    const taken = form.values.translations.flatMap((texts) => Object.keys(texts.proactiveMessages));
    set([...messages, newMessage(messages, taken)]);
    focus(messages.length, 'textarea[name$="/text"]');
  };
  const isInMessage = Object.keys(form.faults).some((name) => name.startsWith('proactiveMessages/'));
  const fault = !isInMessage && form.faults.proactiveMessages;
  return (
    <fieldset class="field">
      <legend class="field-name">{adminStrings.value.widget.proactiveMessages}</legend>
      <p class="hint small">{words.hint}</p>
      {fault && <p class="fault small">{fill(adminStrings.value.refused, { detail: fault })}</p>}
      <ol class="script-steps" ref={list}>
        {messages.map((message, at) => (
          <li class="script-step" key={at}>
            <Head at={at} count={messages.length} move={(by) => move(at, by)} remove={() => removeAt(at)} />
            <MessageFields
              message={message}
              path={`proactiveMessages/${at}`}
              faults={form.faults}
              change={(changed) => set(messages.with(at, { ...message, ...changed }))}
            />
          </li>
        ))}
      </ol>
      {messages.length < MAX_MESSAGES && (
        <button type="button" class="button small script-add" onClick={add}>
          <Icon name="plus" />
          {words.add}
        </button>
      )}
    </fieldset>
  );
}

interface HeadProps {
  /** From 0. */
  at: number;
  count: number;
  move: (by: 1 | -1) => void;
  remove: () => void;
}

function Head({ at, count, move, remove }: HeadProps) {
  const { proactive, script } = adminStrings.value;
  const step = fill(proactive.message, { number: at + 1 });
  const button = (name: string, isOff: boolean, by: 1 | -1) => (
    <button
      type="button"
      class={`button quiet round ${by < 0 ? 'script-up' : 'script-down'}`}
      aria-label={fill(name, { step })}
      aria-disabled={isOff}
      onClick={() => !isOff && move(by)}
    >
      <Icon name="down" />
    </button>
  );
  return (
    <div class="script-head">
      <b>{step}</b>
      {button(script.moveUp, at === 0, -1)}
      {button(script.moveDown, at === count - 1, 1)}
      <button type="button" class="button quiet round" aria-label={fill(script.removeStep, { step })} onClick={remove}>
        <Icon name="trash" />
      </button>
    </div>
  );
}

interface FieldsProps {
  message: MessageDraft;
  /** Its place, as the service names it. */
  path: string;
  faults: Record<string, string>;
  change: (changed: Partial<MessageDraft>) => void;
}

function MessageFields(props: FieldsProps) {
  const { message, path, faults, change } = props;
  const text = adminStrings.value;
  const words = text.proactive;
  return (
    <>
      <Area {...props} name="text" label={words.text} />
      <Area {...props} name="paths" label={text.widget.paths} hint={text.widget.pathsHint} />
      <Area {...props} name="excludedPaths" label={words.excludedPaths} />
      <div class="pair">
        <Amount {...props} name="afterSeconds" label={text.widget.after} unit={text.seconds} />
        <Amount {...props} name="afterScrollPercent" label={words.afterScroll} unit="%" />
      </div>
      <div class="pair">
        <Amount {...props} name="minPages" label={words.minPages} unit={words.pages} />
        <Described label={words.visitor} name={`${path}/visitor`} faults={faults}>
          {(attributes) => (
            <select
              {...attributes}
              value={message.visitor}
              onChange={({ currentTarget: { value } }) => change({ visitor: value as MessageDraft['visitor'] })}
            >
              {(['', 'new', 'returning'] as const).map((value) => (
                <option key={value} value={value} selected={value === message.visitor}>
                  {words.visitors[value || 'all']}
                </option>
              ))}
            </select>
          )}
        </Described>
      </div>
      <Described label={words.id} name={`${path}/id`} faults={faults} hint={words.idHint} rule={words.idRule}>
        {(attributes) => (
          <input
            {...attributes}
            required
            maxLength={50}
            dir="ltr"
            spellcheck={false}
            class="code"
            value={message.id}
            onInput={({ currentTarget: { value } }) => change({ id: value })}
          />
        )}
      </Described>
    </>
  );
}

type AreaProps = FieldsProps & { name: 'text' | 'paths' | 'excludedPaths'; label: string; hint?: string };

/** The text, or paths of pages. */
function Area({ message, path, faults, change, name, label, hint }: AreaProps) {
  const isText = name === 'text';
  const rule = isText ? undefined : adminStrings.value.widget.pathsRule;
  return (
    <Described label={label} name={`${path}/${name}`} faults={faults} hint={hint} rule={rule}>
      {(attributes) => (
        <textarea
          {...attributes}
          {...(isText ? { required: true, maxLength: 1_000 } : { spellcheck: false, class: 'code' })}
          dir={isText ? 'auto' : 'ltr'}
          rows={2}
          value={message[name]}
          onInput={({ currentTarget: { value } }) => change({ [name]: value })}
        />
      )}
    </Described>
  );
}

type AmountProps = FieldsProps & {
  name: 'afterSeconds' | 'afterScrollPercent' | 'minPages';
  label: string;
  unit: string;
};

/** A number; empty for a rule that always holds. */
function Amount({ message, path, faults, change, name, label, unit }: AmountProps) {
  const [min, max] = name === 'afterSeconds' ? [0, 3_600] : [1, 100];
  const rule = fill(adminStrings.value.rangeRule, { min, max });
  return (
    <Described label={label} name={`${path}/${name}`} faults={faults} rule={rule}>
      {(attributes) => (
        <span class="amount">
          <input
            {...attributes}
            type="number"
            min={min}
            max={max}
            step={1}
            value={message[name]}
            onInput={({ currentTarget: { value } }) => change({ [name]: value })}
          />
          {unit}
        </span>
      )}
    </Described>
  );
}
