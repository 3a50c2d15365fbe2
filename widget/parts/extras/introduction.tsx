import { useState } from 'preact/hooks';
import { introduce } from '../../client/feedback.js';
import { useKit } from '../../panel/kit.js';
import { remember } from '../../panel/tab-storage.js';

/** Asks for the visitor's name and address before the first message. The browser checks the address before it is sent. */
export function Introduction() {
  const { host, client, strings } = useKit();
  const { askName = null, askEmail = null } = host.chosen ?? {};
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const submit = (event: Event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const valueOf = (name: string) => String(given.get(name) ?? '').trim() || undefined;
    setState('busy');
    introduce(client, host.widgetKey, { name: valueOf('name'), email: valueOf('email') }).then(
      () => {
        remember('introduced', '1');
        host.set({});
      },
      () => setState('failed'),
    );
  };
  return (
    <form class="form asks" onSubmit={submit}>
      {askName && (
        <label>
          {strings.name}
          <input name="name" autocomplete="name" maxLength={200} required={askName === 'required'} dir="auto" />
        </label>
      )}
      {askEmail && (
        <label>
          {strings.email}
          <input name="email" type="email" autocomplete="email" maxLength={320} required={askEmail === 'required'} />
        </label>
      )}
      {state === 'failed' && <p role="alert">{strings.failed}</p>}
      <button class="primary" disabled={state === 'busy'}>
        {strings.submit}
      </button>
    </form>
  );
}
