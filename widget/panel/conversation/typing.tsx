import { fill } from '../../../headless/text.js';
import type { Typist } from '../../client/types.js';
import { Avatar } from '../avatar.js';
import { usePanel } from '../lib/context.js';
import { Marked } from './marked.js';
import { useObservable } from '../lib/observable.js';
import { avatarOf } from './senders.js';

/** What a typist has written so far. */
const textOf = (typist?: Typist): string => typist?.text?.trim() ?? '';

/** The senders who have written something, as text: it changes only when one comes or goes. */
export function writersOf(typists: readonly Typist[]): string {
  return JSON.stringify(typists.filter(textOf), ['type', 'id', 'name']);
}

/** Says that a bot or an agent is typing, with three dots while nothing of it is seen, and what a bot is doing. */
export function Typing() {
  const { client, strings } = usePanel();
  const [typist] = useObservable(client.typing);
  const isSilent = !textOf(typist);
  if (!typist) return null;
  const name = typist.name || strings.team;
  return (
    <>
      <div class={isSilent ? 'row theirs first last silent' : ''}>
        {isSilent && (
          <>
            <Avatar name={name} url={avatarOf(client.chat.value, typist)} />
            <div class="bubble dots">
              <i />
              <i />
              <i />
            </div>
          </>
        )}
        <span class="hidden">{fill(strings.typing, { name })}</span>
      </div>
      {typist.status && (
        <p class="doing">
          <bdi>{typist.status}</bdi>
        </p>
      )}
    </>
  );
}

/** What a sender is writing, in the place of its next message. */
export function LiveBubble({ id }: { id: string | null }) {
  const typists = useObservable(usePanel().client.typing);
  return (
    <div class="bubble" dir="auto">
      <Marked text={textOf(typists.find((typist) => typist.id === id))} isPartial />
    </div>
  );
}
