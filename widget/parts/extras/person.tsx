import { useEffect, useState } from 'preact/hooks';
import { askForPerson } from '../../client/feedback.js';
import type { Message } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { focusPanel } from '../../panel/lib/focus.js';
import { useObservable } from '../../panel/lib/observable.js';
import { useAsked, useIsNew } from './asking.js';
import { Privacy } from './foot.js';

/**
 * Asks for a person: below the greeting, or in the menu, which goes back to the chat once a bot has reacted or the bots no longer have the
 * chat. Before the first message, the request creates the chat, so the form before a first message comes before it too.
 * @param onDone of the menu, which covers the line that the visitor agrees to
 */
export function Person({ onDone }: { onDone?: () => void }) {
  const { host, client, strings } = usePanel();
  const chat = useObservable(client.chat);
  const answers = useObservable(client.messages, countAnswers);
  const isAsking = !!useAsked();
  const isNew = useIsNew();
  // The answers at the time of the request; null after a failure.
  const [asked, setAsked] = useState<number | null>();
  const isBots = !chat || chat.owner === 'BOT';
  const isOver = asked != null && (!isBots || answers > asked);
  useEffect(() => void (isOver && onDone?.()), [isOver]);
  // The texts of an earlier release, which the page has loaded before an upgrade, lack it.
  if (!isBots || isAsking || !strings.talk || answers < (host.chosen?.personAfter ?? Infinity)) return null;
  if (asked != null) return <p role="status">{strings.connecting}</p>;
  const ask = async (event: Event) => {
    focusPanel(event.currentTarget as HTMLElement);
    setAsked(answers);
    try {
      await askForPerson(client, (await client.openChat()).id);
    } catch {
      setAsked(null);
    }
  };
  return (
    <>
      {asked === null && <p role="alert">{strings.failed}</p>}
      {onDone && isNew && <Privacy />}
      <button class="choice" onClick={(event) => void ask(event)}>
        {strings.talk}
      </button>
    </>
  );
}

const countAnswers = (messages: readonly Message[]) => messages.filter(({ sender }) => sender.type === 'BOT').length;
