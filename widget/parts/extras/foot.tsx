import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { isOver } from '../../panel/header.js';
import { usePanel } from '../../panel/lib/context.js';
import { useObservable } from '../../panel/lib/observable.js';
import { recall, remember } from '../../panel/lib/tab-storage.js';
import { useAsked, useIsNew } from './asking.js';
import { Introduction } from './introduction.js';
import { Rating } from './rating.js';
import { WITHOUT_MAIL } from './words.js';

/** What is said and asked above the composer: before the first message, when no person is free, and after the end of the chat. */
export function Foot({ isNew: isWithoutChat, isAlone }: { isNew: boolean; isAlone: boolean }) {
  const { host, client } = usePanel();
  const chat = useObservable(client.chat);
  const isNew = useIsNew();
  const asked = useAsked();
  const { chosen } = host;
  // They were for the chat that has been opened.
  useEffect(() => void (chat && remember('fields', '')), [chat?.id]);
  if (!chat && !isWithoutChat) return null;
  if (chat && isOver(chat)) return chosen?.rating ? <Rating key={chat.id} /> : null;
  if (chat && isAlone && !host.identity) return <LeaveEmail key={chat.id} />;
  return (
    <>
      {isNew && <Privacy />}
      {asked && <Introduction isBefore {...asked} />}
    </>
  );
}

/** Asks for an address to write to, beside the chat, which continues. */
function LeaveEmail() {
  const { host, strings } = usePanel();
  const [isChanging, change] = useState(false);
  const kept = recall('introduced');
  const email = kept.includes('@') ? kept : host.settings.visitor?.email;
  const [leaveEmail, emailKept] = host.chosen?.canMail
    ? [strings.leaveEmail, strings.emailKept]
    : (WITHOUT_MAIL[strings.language] ?? WITHOUT_MAIL.en!);
  if (email && !isChanging) {
    return (
      <p class="privacy" role="status">
        <bdi>{fill(emailKept, { email })}</bdi>{' '}
        <button class="link" onClick={() => change(true)}>
          {strings.change}
        </button>
      </p>
    );
  }
  return (
    <>
      <Privacy />
      <Introduction
        askEmail="required"
        fields={[]}
        title={leaveEmail}
        takesFocus={isChanging}
        onDone={() => change(false)}
      />
    </>
  );
}

/** The line that the visitor agrees to, with the link to the organization's page. */
export function Privacy() {
  const { host, strings } = usePanel();
  const { consent, privacyUrl } = host.chosen ?? {};
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
