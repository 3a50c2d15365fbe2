import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { Typist } from '../../client/types.js';
import { Avatar } from '../avatar.js';
import { usePanel } from '../lib/context.js';
import { Marked } from './marked.js';
import { useObservable } from '../lib/observable.js';
import { avatarOf } from './senders.js';

/** What a typist has written so far. */
const textOf = (typist?: Typist): string => typist?.text?.trim() ?? '';

/** The senders who have written something, as text: it changes only when a sender starts or stops. */
export function writersOf(typists: readonly Typist[]): string {
  return JSON.stringify(typists.filter(textOf), ['type', 'id', 'name', 'isAi']);
}

/** After this time without a word of a bot, in milliseconds, the visitor reads that it's still working. */
const STILL_WORKING_MS = 8_000;

/** What a bot is doing, in its own words. Without any, it's still working after a while. */
function Doing({ status }: { status?: string }) {
  const { strings } = usePanel();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), STILL_WORKING_MS);
    return () => clearTimeout(timer);
  }, []);
  const words = status || (isLong && strings.stillWorking);
  return words ? (
    <p class="doing">
      <bdi>{words}</bdi>
    </p>
  ) : null;
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
      {(typist.status || (isSilent && typist.type === 'BOT')) && <Doing key={typist.id} status={typist.status} />}
    </>
  );
}

/** What a sender is writing, shown where its next message will be. */
export function LiveBubble({ id }: { id: string | null }) {
  const typists = useObservable(usePanel().client.typing);
  return (
    <div class="bubble" dir="auto">
      <Marked text={textOf(typists.find((typist) => typist.id === id))} isPartial />
    </div>
  );
}
