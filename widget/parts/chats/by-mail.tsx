import { useState } from 'preact/hooks';
import { introduce, resubscribe, sendTranscript } from '../../client/feedback.js';
import type { Chat, VisitorError } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { remember } from '../../panel/lib/tab-storage.js';
import { AGAIN, BY_MAIL } from './words.js';

/** Sends the chat to the visitor's address, and asks for one if there is none. */
export function ByMail({ chat }: { chat: Chat }) {
  const { host, client, strings } = usePanel();
  const [state, setState] = useState<'idle' | 'busy' | 'asks' | 'sent' | 'later' | 'failed'>('idle');
  const [send, sent, later] = BY_MAIL[strings.language] ?? BY_MAIL.en!;
  const deliver = async (email?: string) => {
    setState('busy');
    try {
      if (email) {
        await introduce(client, host.widgetKey, { email });
        remember('introduced', email);
        host.emit('lead.left', { chatId: chat.id });
        host.set({});
      }
      await sendTranscript(client, chat.id);
      setState('sent');
    } catch (error) {
      const { code } = error as VisitorError;
      setState(
        code === 'rate_limited' ? 'later' : code === 'no_address' && !email && !host.identity ? 'asks' : 'failed',
      );
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void deliver((new FormData(event.target as HTMLFormElement).get('email') as string).trim());
  };
  if (state === 'asks')
    return (
      <form class="asks-email" onSubmit={submit}>
        <label>
          {strings.email}{' '}
          <input ref={focusIt} name="email" type="email" autocomplete="email" maxLength={320} required />
        </label>
        <button class="primary">{send}</button>
      </form>
    );
  return (
    <>
      <button class="choice" disabled={state === 'busy' || state === 'sent'} onClick={() => void deliver()}>
        {send}
      </button>
      <p class="told" role="status">
        {state === 'sent' ? sent : state === 'later' ? later : state === 'failed' ? strings.failed : ''}
      </p>
    </>
  );
}

/** Lets a visitor who unsubscribed get e-mails again. */
export function MailsAgain({ chat }: { chat: Chat }) {
  const { client, strings } = usePanel();
  const [state, setState] = useState<'idle' | 'busy' | 'done' | 'failed'>('idle');
  const [ask, done] = AGAIN[strings.language] ?? AGAIN.en!;
  const get = () => {
    setState('busy');
    resubscribe(client, chat.id).then(
      () => setState('done'),
      () => setState('failed'),
    );
  };
  return (
    <>
      <button class="choice" disabled={state === 'busy' || state === 'done'} onClick={get}>
        {ask}
      </button>
      <p class="told" role="status">
        {state === 'done' ? done : state === 'failed' ? strings.failed : ''}
      </p>
    </>
  );
}

const focusIt = (element: HTMLElement | null): void => element?.focus();
