import { isOver } from '../../panel/header.js';
import { useKit } from '../../panel/kit.js';
import { useObservable } from '../../panel/observable.js';
import { useIsAsking, useIsNew } from './asking.js';
import { Introduction } from './introduction.js';
import { Rating } from './rating.js';

/** What is said and asked above the composer: before the first message, and after the end of the chat. */
export function Foot() {
  const { host, client } = useKit();
  const chat = useObservable(client.chat);
  const isNew = useIsNew();
  const isAsking = useIsAsking();
  if (!chat || !host.chosen) return null;
  if (isOver(chat)) return host.chosen.rating ? <Rating key={chat.id} /> : null;
  return (
    <>
      {isNew && <Privacy />}
      {isAsking && <Introduction />}
    </>
  );
}

/** The line that the visitor agrees to, with the link to the organization's page. */
function Privacy() {
  const { host, strings } = useKit();
  const { consent, privacyUrl } = host.chosen!;
  if (!consent && !privacyUrl) return null;
  return (
    <p class="privacy">
      <bdi>{consent}</bdi>{' '}
      {privacyUrl && (
        <a href={privacyUrl} target="_blank" rel="noopener noreferrer">
          {strings.privacy}
        </a>
      )}
    </p>
  );
}
