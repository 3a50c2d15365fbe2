import type { ComponentChildren } from 'preact';
import { fill } from '../../../headless/text.js';
import { fullTime } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { ChatLink } from '../../ui/parts/chat-link.js';
import { Icon } from '../../ui/parts/icon.js';
import { type ArrivedMail, readPage, type SentMail } from '../api.js';
import { Loaded, More } from '../parts/loaded.js';
import { Ago, Badge, PageSection } from '../parts/page-section.js';
import { type Pages, usePages } from '../parts/reading.js';

const SENT_KINDS = { WAITING: 'warn', SENT: 'good', BOUNCED: 'bad', FAILED: 'bad', LAPSED: 'plain' } as const;
const ARRIVED_KINDS = {
  STORED: 'good',
  TO_CHECK: 'warn',
  ACCEPTED: 'good',
  DROPPED: 'plain',
  REFUSED: 'bad',
  PROCESSED: 'plain',
} as const;

/** E-mails that were sent or wait, newest first. */
export function SentMails({ pages }: { pages: Pages<SentMail> }) {
  const text = adminStrings.value.mail;
  return (
    <MailList title={text.sent} hint={text.sentHint} none={text.noneSent} pages={pages}>
      {({ kind, to, status, lastError, nextAttemptAt, chatId, createdAt }) => (
        <>
          <Badge kind={SENT_KINDS[status]}>{text.status[status]}</Badge>
          <span class="line-words">
            <bdi class="line-name">{to}</bdi>
            <span class="hint small">
              {text.kind[kind]}
              {lastError && <bdi> · {lastError}</bdi>}
              {nextAttemptAt && ` · ${fill(adminStrings.value.nextAttempt, { time: fullTime(nextAttemptAt) })}`}
            </span>
          </span>
          <Side at={createdAt} chatId={chatId} />
        </>
      )}
    </MailList>
  );
}

/** E-mails that arrived, newest first. */
export function ArrivedMails() {
  const text = adminStrings.value.mail;
  const pages = usePages<ArrivedMail>((cursor) => readPage('/mails/arrived', 'mails', cursor, { limit: '25' }), []);
  return (
    <MailList title={text.arrived} hint={text.arrivedHint} none={text.noneArrived} pages={pages}>
      {({ status, reason, from, chatId, receivedAt }) => (
        <>
          <Badge kind={ARRIVED_KINDS[status]}>{text.arrivedStatus[status]}</Badge>
          <span class="line-words">
            <bdi class="line-name">{from ?? '–'}</bdi>
            <span class="hint small">{reason && reasonWords(reason)}</span>
          </span>
          <Side at={receivedAt} chatId={chatId} />
        </>
      )}
    </MailList>
  );
}

function reasonWords(reason: string): string {
  const { reasons } = adminStrings.value.mail;
  return Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reason;
}

function Side({ at, chatId }: { at: string; chatId: string | null }) {
  return (
    <span class="line-more hint small">
      <Ago at={at} />
      {chatId && (
        <ChatLink chatId={chatId} view="OPEN">
          {adminStrings.value.mail.openChat}
        </ChatLink>
      )}
    </span>
  );
}

interface ListProps<T> {
  title: string;
  hint: string;
  none: string;
  pages: Pages<T>;
  children: (mail: T) => ComponentChildren;
}

function MailList<T extends { id: string }>({ title, hint, none, pages, children }: ListProps<T>) {
  return (
    <PageSection
      title={title}
      hint={hint}
      action={
        <button type="button" class="button small" onClick={pages.again}>
          <Icon name="refresh" />
          {adminStrings.value.refresh}
        </button>
      }
    >
      <Loaded of={pages}>
        {(mails) => (
          <>
            {mails.length === 0 && <p class="hint">{none}</p>}
            <ul class="lines">
              {mails.map((mail) => (
                <li key={mail.id} class="line">
                  {children(mail)}
                </li>
              ))}
            </ul>
            <More pages={pages} />
          </>
        )}
      </Loaded>
    </PageSection>
  );
}
