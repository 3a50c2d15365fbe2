import { useEffect, useState } from 'preact/hooks';
import { askForPerson } from '../../client/feedback.js';
import type { Message } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { focusPanel } from '../../panel/lib/focus.js';
import { useObservable } from '../../panel/lib/observable.js';

/** Asks for a person, and goes back to the chat once a bot has reacted or the bots no longer have the chat. */
export function Person({ onDone }: { onDone: () => void }) {
  const { host, client, strings } = usePanel();
  const { id = '', owner } = useObservable(client.chat) ?? {};
  const answers = useObservable(client.messages, countAnswers);
  // The answers at the time of the request; null after a failure.
  const [asked, setAsked] = useState<number | null>();
  const isBots = owner === 'BOT';
  const isOver = asked != null && (!isBots || answers > asked);
  useEffect(() => void (isOver && onDone()), [isOver]);
  // The texts of an earlier release, which the page has loaded before an upgrade, lack it.
  if (!isBots || !strings.talk || answers < (host.chosen?.personAfter ?? Infinity)) return null;
  if (asked != null) return <p role="status">{strings.connecting}</p>;
  const ask = (event: Event) => {
    focusPanel(event.currentTarget as HTMLElement);
    setAsked(answers);
    askForPerson(client, id).catch(() => setAsked(null));
  };
  return (
    <>
      {asked === null && <p role="alert">{strings.failed}</p>}
      <button class="choice" onClick={ask}>
        {strings.talk}
      </button>
    </>
  );
}

const countAnswers = (messages: readonly Message[]) => messages.filter(({ sender }) => sender.type === 'BOT').length;
