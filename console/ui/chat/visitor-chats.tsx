import { useEffect, useState } from 'preact/hooks';
import { get } from '../../api/request.js';
import type { Row } from '../../api/types.js';
import { fill } from '../../../headless/text.js';
import { lastWords } from '../../lib/names.js';
import { fullTime, listTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { slowNow } from '../../state/clock.js';
import { rowOf, takeRow } from '../../state/inbox/rows.js';
import type { Place } from '../../state/inbox/views.js';
import { linkTo, route } from '../../state/route.js';
import { Holder, Mark } from '../list/row-marks.js';
import { Name } from '../parts/rich.js';
import { hideOverlay } from '../screen.js';

const PAGE = 10;

interface Listed {
  ids: readonly string[];
  cursor: string | null;
  state: 'loading' | 'ready' | 'failed';
}

const LOADING: Listed = { ids: [], cursor: null, state: 'loading' };

interface Page {
  chats: Row[];
  nextCursor: string | null;
}

/** The chats of a visitor, page by page. @param version the list is read again when it changes */
function useChatsOf(visitorId: string, version: unknown) {
  const [listed, setListed] = useState(LOADING);
  const read = async (cursor: string | null, isCurrent: () => boolean) => {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor && { cursor }) });
    const page = await get<Page>(`/visitors/${visitorId}/chats?${query}`).catch(() => null);
    if (!isCurrent()) return;
    for (const row of page?.chats ?? []) takeRow(row);
    setListed((before) => {
      if (!page) return { ...before, state: 'failed' };
      const ids = page.chats.map(({ id }) => id);
      return { ids: cursor ? [...new Set([...before.ids, ...ids])] : ids, cursor: page.nextCursor, state: 'ready' };
    });
  };
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    void read(null, () => isCurrent);
    return () => void (isCurrent = false);
  }, [visitorId, version, attempt]);
  useEffect(() => setListed(LOADING), [visitorId]);
  return {
    ...listed,
    more: () => void read(listed.cursor, () => true),
    again: () => setAttempt((count) => count + 1),
  };
}

interface VisitorChatsProps {
  visitorId: string;
  /** The chat that is open. */
  openId?: string;
  version?: unknown;
}

/** All chats of a visitor, latest first: when they began, their last words, and what became of them. */
export function VisitorChats({ visitorId, openId, version }: VisitorChatsProps) {
  const text = strings.value;
  const { ids, cursor, state, more, again } = useChatsOf(visitorId, version);
  const rows = ids.flatMap((id) => rowOf(id) ?? []);
  if (state === 'failed' && rows.length === 0) {
    return (
      <p class="hint small" role="alert">
        {text.listFailed}{' '}
        <button type="button" class="button link" onClick={again}>
          {text.tryAgain}
        </button>
      </p>
    );
  }
  if (state === 'ready' && rows.length === 0) return <p class="hint small">{text.noChatsOfVisitor}</p>;
  return (
    <>
      <ul class="visitor-chats" aria-busy={state === 'loading'}>
        {rows.map((row) => (
          <li key={row.id}>
            <ChatLink row={row} isOpen={row.id === openId} />
          </li>
        ))}
      </ul>
      {cursor !== null && (
        <button type="button" class="button small" onClick={more}>
          {text.showMore}
        </button>
      )}
    </>
  );
}

function ChatLink({ row, isOpen }: { row: Row; isOpen: boolean }) {
  const text = strings.value;
  // The list beside the chat stays; other pages have none.
  const place: Place =
    route.value.page === 'inbox' ? route.value.place : { view: row.owner === 'NOBODY' ? 'CLOSED' : 'OPEN' };
  const link = linkTo({ page: 'inbox', place, chatId: row.id }, hideOverlay);
  return (
    <a class="visitor-chat" {...link} aria-current={isOpen ? 'true' : undefined}>
      <span class="row-head">
        <time dateTime={row.createdAt} title={fullTime(row.createdAt)}>
          {listTime(row.createdAt, slowNow.value)}
        </time>
        <Outcome row={row} />
      </span>
      <Name class="hint small" name={lastWords(row)} />
      {row.score !== null && <Mark words={fill(text.ratedWith, { score: row.score })} />}
    </a>
  );
}

/** Who has the chat, or had it last. */
function Outcome({ row }: { row: Row }) {
  const text = strings.value;
  if (row.owner === 'QUEUE' && !row.offer) return <Mark words={text.waiting} />;
  if (row.owner !== 'NOBODY' || !row.lastAgent) return <Holder row={row} />;
  return <Mark words={fill(text.endedWith, { name: row.lastAgent.name })} />;
}
