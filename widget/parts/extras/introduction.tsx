import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FormField } from '../../../headless/form.js';
import { introduce } from '../../client/feedback.js';
import type { VisitorError } from '../../client/types.js';
import { answersIn, areTooLong, Fields, type ShownField } from '../../panel/lib/fields.js';
import { focusPanel } from '../../panel/lib/focus.js';
import { usePanel } from '../../panel/lib/context.js';
import { recall, remember } from '../../panel/lib/tab-storage.js';
import type { Asked } from './asking.js';
import { FORM } from './words.js';

interface IntroductionProps extends Asked {
  /** What it is for. */
  title?: string;
  /** Whether it comes before the first message: it then replaces the composer. */
  isBefore?: boolean;
  /** Whether it comes because the visitor asked for it. */
  takesFocus?: boolean;
  onDone?: () => void;
}

/** Precedes the names of the organization's own fields, which may be `name` or `email` too. */
const OWN = ':';

/**
 * Asks for the visitor's name and address, which the service keeps with the visitor, and for the organization's own fields, which the tab
 * keeps for the next new chat.
 */
export function Introduction({ title, isBefore, takesFocus, onDone, ...asked }: IntroductionProps) {
  const { host, client, strings } = usePanel();
  const [state, setState] = useState<'idle' | 'busy' | 'failed' | 'tooLong'>('idle');
  const [optional, start] = FORM[strings.language] ?? FORM.en!;
  const fields = shownOf(asked, strings);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (isBefore) restore(form.current!, host.settings.visitor?.metadata);
    // The composer has the focus, and is hidden.
    const { activeElement } = form.current!.getRootNode() as ShadowRoot;
    if (isBefore && activeElement?.matches('textarea')) focusPanel(form.current!);
    if (takesFocus) form.current!.querySelector<HTMLElement>('[name]')!.focus();
  }, []);
  const save = async (panel: Element) => {
    const answers = answersIn(form.current!, fields);
    const { name, email } = answers as { name?: string; email?: string };
    const own = Object.entries(answers).flatMap(([key, value]) => (key.startsWith(OWN) ? [[key.slice(1), value]] : []));
    const values = Object.fromEntries(own) as typeof answers;
    if (areTooLong(values)) return setState('tooLong');
    setState('busy');
    try {
      if (asked.askName || asked.askEmail) {
        await introduce(client, host.widgetKey, { name, email });
        remember('introduced', email ?? '-');
      }
    } catch (error) {
      setState('failed');
      // The page may show a captcha.
      return host.emit('error', error as VisitorError);
    }
    if (asked.fields[0]) remember('fields', JSON.stringify(values));
    if (isBefore) remember('typed', '');
    if (name ?? email) host.emit('lead.left', { chatId: client.chat.value?.id ?? null });
    onDone?.();
    host.set({});
    focusPanel(panel);
  };
  return (
    <form
      ref={form}
      class={`form fields ${isBefore ? 'asks' : ''}`}
      onInput={() => isBefore && remember('typed', JSON.stringify([...new FormData(form.current!)]))}
      onSubmit={(event) => {
        event.preventDefault();
        void save(form.current!.closest('.panel')!);
      }}
    >
      {title && <p>{title}</p>}
      <Fields fields={fields} optional={optional} />
      {(state === 'failed' || state === 'tooLong') && <p role="alert">{strings[state]}</p>}
      <button class="primary" disabled={state === 'busy'}>
        {isBefore ? start : strings.submit}
      </button>
    </form>
  );
}

/** The fields in their order; the organization's own ones come last. */
function shownOf({ askName, askEmail, fields }: Asked, strings: Record<'name' | 'email', string>): ShownField[] {
  const common = { options: [], optionLabels: [] };
  return [
    askName && {
      ...common,
      key: 'name',
      label: strings.name,
      type: 'text' as const,
      isRequired: askName === 'required',
      maxLength: 200,
      autocomplete: 'name',
    },
    askEmail && {
      ...common,
      key: 'email',
      label: strings.email,
      type: 'email' as const,
      isRequired: askEmail === 'required',
    },
    ...fields.map((field: FormField) => ({ ...field, key: `${OWN}${field.key}` })),
  ].filter((field) => !!field);
}

/** Fills in what the page says of the visitor by the keys of own fields, or what was typed before a reload. */
function restore(form: HTMLFormElement, known: Record<string, unknown> = {}): void {
  const typed = JSON.parse(recall('typed') || 'null') as [name: string, value: string][] | null;
  const given = typed ?? Object.entries(known).map(([key, value]) => [`${OWN}${key}`, value] as const);
  for (const [name, value] of given) {
    const input = form.elements.namedItem(name) as HTMLInputElement | null;
    if (input?.type === 'checkbox') input.checked = value === 'on' || value === true;
    else if (input && (typeof value === 'string' || typeof value === 'number')) input.value = `${value}`;
  }
}
