import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { Detail } from '../../api/types.js';
import { factsOf, type NamedPage, pageOf } from '../../lib/facts.js';
import { reasonWords, visitorName } from '../../lib/names.js';
import { ago, clockTime, fullTime, shortDate } from '../../lib/times.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { strings } from '../../locales/strings.js';
import { slowNow } from '../../state/clock.js';
import { openChat } from '../../state/chat/open-chat.js';
import { Avatar } from '../parts/avatar.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { Linked, Marked } from '../parts/rich.js';
import { overlay } from '../screen.js';
import { AttributesOfChat } from './attributes.js';
import { BlockedVisitor } from './blocked-visitor.js';
import { ChatTags } from './chat-tags.js';
import { ChatTitle } from './chat-title.js';
import { NoteBody } from './note.js';
import { VisitorMail } from './visitor-mail.js';
import { VisitorChats } from './visitor-chats.js';

/** The details next to the chat. */
export function Side() {
  return (
    <aside class="side" aria-label={strings.value.details}>
      <Details />
    </aside>
  );
}

/** The details over the page, on narrow screens. */
export function SideDialog() {
  return (
    <Dialog title={strings.value.details} form="drawer end" onClose={() => (overlay.value = null)}>
      <Details />
    </Dialog>
  );
}

function Details() {
  const detail = openChat.value?.detail.value;
  if (!detail) return null;
  const page = pageOf(detail.metadata, detail.visitor.metadata);
  return (
    <div class="details">
      <Visitor detail={detail} page={page?.page} />
      <ChatTags id={detail.id} tags={detail.tags} />
      <Rated detail={detail} />
      <Handoff detail={detail} />
      <Notes />
      <AttributesOfChat detail={detail} />
      <Facts title={strings.value.facts} facts={detail.visitor.metadata} shown={page} />
      <Facts title={strings.value.chatFacts} facts={detail.metadata} shown={page} />
      <Chats detail={detail} />
    </div>
  );
}

function Visitor({ detail, page }: { detail: Detail; page?: string }) {
  const text = strings.value;
  const { visitor } = detail;
  return (
    <section>
      <div class="visitor-card">
        <Avatar id={visitor.id} name={visitorName(detail)} />
        <div>
          <h2 title={visitorName(detail)}>
            <bdi>{visitorName(detail)}</bdi>
          </h2>
          {visitor.email ? <CopyButton value={visitor.email} /> : <p class="hint small">{text.noEmail}</p>}
          {visitor.email && !visitor.isVerified && <p class="hint small">{text.unverifiedEmail}</p>}
        </div>
      </div>
      <dl class="facts">
        {page && (
          <Fact name={text.page}>
            <a href={page} target="_blank" rel="noopener noreferrer nofollow ugc">
              {page}
            </a>
          </Fact>
        )}
        <Fact name={text.begunAt}>
          <time dateTime={detail.createdAt} title={fullTime(detail.createdAt)}>
            {shortDate(detail.createdAt)}, {clockTime(detail.createdAt)}
          </time>
        </Fact>
        {detail.group && (
          <Fact name={text.group}>
            <bdi>{detail.group.name}</bdi>
          </Fact>
        )}
        <Fact name={text.chatTitle}>
          <ChatTitle detail={detail} />
        </Fact>
      </dl>
      <p class="hint small">{fill(text.knownSince, { time: shortDate(visitor.createdAt) })}</p>
      <VisitorMail key={detail.id} detail={detail} />
      <BlockedVisitor key={`block ${detail.id}`} detail={detail} />
    </section>
  );
}

function CopyButton({ value }: { value: string }) {
  const text = strings.value;
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard?.writeText(value).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 2_000);
      },
      () => undefined,
    );
  };
  return (
    <button type="button" class="copy-value" onClick={copy} title={text.copy}>
      <bdi>{value}</bdi>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span class="hidden" role="status">
        {isCopied ? text.copied : ''}
      </span>
    </button>
  );
}

function Rated({ detail: { rating } }: { detail: Detail }) {
  const text = strings.value;
  if (!rating) return null;
  const { score, comment, ratedAt, changedAt } = rating;
  const at = changedAt ?? ratedAt;
  return (
    <section>
      <h2>{text.rating}</h2>
      <p>
        {fill(text.ratedWith, { score })} · <time title={fullTime(at)}>{ago(at, slowNow.value)}</time>
      </p>
      {comment && (
        <p class="words" dir="auto">
          <Linked text={comment} />
        </p>
      )}
    </section>
  );
}

function Handoff({ detail: { handoff } }: { detail: Detail }) {
  const text = strings.value;
  if (!handoff || (!handoff.reason && !handoff.summary && !handoff.cause)) return null;
  return (
    <section>
      <h2>{text.handoff}</h2>
      <dl class="facts stacked">
        {handoff.reason && (
          <Fact name={text.reason}>
            <Marked text={reasonWords(handoff.reason)} />
          </Fact>
        )}
        {handoff.summary && (
          <Fact name={text.summary}>
            <Marked text={handoff.summary} />
          </Fact>
        )}
        {handoff.cause && (
          <Fact name={text.cause}>
            <Marked text={`${handoff.cause.name}: ${handoff.cause.message}`} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Facts({ title, facts, shown }: { title: string; facts: Record<string, unknown>; shown?: NamedPage }) {
  const entries = factsOf(facts, shown);
  if (entries.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <dl class="facts">
        {entries.map(([key, value]) => (
          <Fact name={factName(key)}>
            <Linked text={value} />
          </Fact>
        ))}
      </dl>
      <p class="hint small">{dialogStrings.value.fromPage}</p>
    </section>
  );
}

/** What the widget knows of a visitor is named in words. */
function factName(key: string): string {
  const { factNames } = strings.value;
  return Object.hasOwn(factNames, key) ? factNames[key as keyof typeof factNames] : key;
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function Notes() {
  const text = strings.value;
  const notes = openChat.value?.notes.value ?? [];
  return (
    <section>
      <h2>{text.notes}</h2>
      {notes.length === 0 && <p class="hint small">{text.noNotes}</p>}
      {notes.map((note) => (
        <article class="note-card" key={note.id}>
          <p class="hint small">
            <bdi>{note.author.name}</bdi> ·{' '}
            <time title={fullTime(note.createdAt)}>{ago(note.createdAt, slowNow.value)}</time>
          </p>
          <NoteBody note={note} />
        </article>
      ))}
    </section>
  );
}

function Chats({ detail: { id, owner, visitor } }: { detail: Detail }) {
  return (
    <section>
      <h2>{strings.value.chatsOfVisitor}</h2>
      <VisitorChats visitorId={visitor.id} openId={id} version={`${id} ${owner}`} />
    </section>
  );
}
