import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { introduce } from '../../client/feedback.js';
import type { VisitorError } from '../../client/types.js';
import { focusPanel } from '../../panel/lib/focus.js';
import { usePanel } from '../../panel/lib/context.js';
import { remember } from '../../panel/lib/tab-storage.js';
import { FORM } from './words.js';

type Asking = 'optional' | 'required' | null;

interface IntroductionProps {
  askName: Asking;
  askEmail: Asking;
  /** What it is for. */
  title?: string;
  /** Whether it comes before the first message: it is then in the place of the composer. */
  isBefore?: boolean;
  /** Whether it comes because the visitor asked for it. */
  takesFocus?: boolean;
  onDone?: () => void;
}

/** Asks for the visitor's name and address. The browser checks the address before it is sent. */
export function Introduction({ askName, askEmail, title, isBefore, takesFocus, onDone }: IntroductionProps) {
  const { host, client, strings } = usePanel();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const [optional, start] = FORM[strings.language] ?? FORM.en!;
  const mark = (asking: Asking) => asking === 'optional' && <small>({optional})</small>;
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    // The composer has the focus, and is hidden.
    const { activeElement } = form.current!.getRootNode() as ShadowRoot;
    if (isBefore && activeElement?.matches('textarea')) focusPanel(form.current!);
    if (takesFocus) form.current!.querySelector('input')!.focus();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const panel = form.current!.closest('.panel')!;
    const given = new FormData(form.current!);
    const valueOf = (name: string) => ((given.get(name) as string | null) ?? '').trim() || undefined;
    const [name, email] = ['name', 'email'].map(valueOf);
    setState('busy');
    introduce(client, host.widgetKey, { name, email }).then(
      () => {
        remember('introduced', email ?? '-');
        if (name ?? email) host.emit('lead.left', { chatId: client.chat.value?.id ?? null });
        onDone?.();
        host.set({});
        focusPanel(panel);
      },
      (error: VisitorError) => {
        setState('failed');
        // The page may show a captcha.
        host.emit('error', error);
      },
    );
  };
  return (
    <form ref={form} class={`form ${isBefore ? 'asks' : ''}`} onSubmit={submit}>
      {title && <p>{title}</p>}
      {askName && (
        <label>
          <span>
            {strings.name} {mark(askName)}
          </span>
          <input name="name" autocomplete="name" maxLength={200} required={askName === 'required'} dir="auto" />
        </label>
      )}
      {askEmail && (
        <label>
          <span>
            {strings.email} {mark(askEmail)}
          </span>
          <input name="email" type="email" autocomplete="email" maxLength={320} required={askEmail === 'required'} />
        </label>
      )}
      {state === 'failed' && <p role="alert">{strings.failed}</p>}
      <button class="primary" disabled={state === 'busy'}>
        {isBefore ? start : strings.submit}
      </button>
    </form>
  );
}
