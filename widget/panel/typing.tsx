import { fill } from '../../headless/text.js';
import type { Typist } from '../client/types.js';
import { useKit } from './kit.js';
import { useObservable } from './observable.js';

/** What a typist has written so far. */
const textOf = (typist?: Typist): string => typist?.text?.trim() ?? '';

/** The senders who have written something, as text: it changes only when one comes or goes. */
export function writersOf(typists: readonly Typist[]): string {
  return JSON.stringify(typists.filter((typist) => textOf(typist)).map(({ type, id, name }) => ({ type, id, name })));
}

/** Three dots while a bot or an agent is typing and nothing of it is seen. */
export function Typing() {
  const { client, strings } = useKit();
  const typists = useObservable(client.typing);
  const silent = typists.find((typist) => !textOf(typist));
  const typist = silent ?? typists[0];
  if (!typist) return null;
  const words = <span class="hidden">{fill(strings.typing, { name: typist.name || strings.team })}</span>;
  if (!silent) return words;
  return (
    <div class="row theirs first last">
      <div class="bubble dots">
        <i />
        <i />
        <i />
        {words}
      </div>
    </div>
  );
}

/** What a sender is writing, in the place of its next message. */
export function LiveBubble({ id }: { id: string | null }) {
  const text = useObservable(useKit().client.typing, (typists) => textOf(typists.find((one) => one.id === id)));
  return (
    <div class="bubble" dir="auto">
      {text}
    </div>
  );
}
