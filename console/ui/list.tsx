import { useComputed } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import type { Row, ViewName } from '../api/types.js';
import { lastWords, listNames, visitorName } from '../lib/names.js';
import { duration, listTime, tellsFullTime } from '../lib/times.js';
import { strings } from '../locales/strings.js';
import { now, slowNow } from '../state/clock.js';
import { groupOf } from '../state/counts.js';
import { go, goToChat, pathOf, route } from '../state/route.js';
import {
  isMine,
  hasMore,
  isLoaded,
  listVersion,
  noteOpenAt,
  readAgain,
  readMore,
  viewFailure,
  visibleRows,
  type Place,
} from '../state/views.js';
import { people } from '../state/people.js';
import { typistsOf, viewersOf } from '../state/watchers.js';
import { me } from '../state/session.js';
import { Avatar } from './avatar.js';
import { Icon, type IconName } from './icon.js';
import { nameOfPlace } from './nav.js';
import { Name } from './rich.js';
import { overlay } from './screen.js';
import { useSize } from './use-size.js';
import { useVirtual } from './use-virtual.js';

/** The height of a row in pixels, unless the browser has larger texts. */
const ROW = 84;
/** The part of `maxWaitSeconds` after which the clock of a waiting chat warns. */
const WARNS_AT = 2 / 3;
/** A bot that leaves a visitor without an answer for longer than this, in seconds, is marked. */
const BOT_STUCK_AFTER = 60;

const EMPTY = {
  MINE: ['nothingMine', 'nothingMineHint'],
  WAITING: ['nothingWaiting', 'nothingWaitingHint'],
  BOT: ['nothingBot', 'nothingBotHint'],
  OPEN: ['nothingOpen', 'nothingOpenHint'],
  CLOSED: ['nothingClosed', 'nothingClosedHint'],
} as const satisfies Record<ViewName, readonly [string, string]>;

const GROUP_VIEWS = [
  { view: 'WAITING', name: 'waiting' },
  { view: 'MINE', name: 'mine' },
  { view: 'OPEN', name: 'allOpen' },
] as const;

/** The chats of the current view. */
export function List({ place }: { place: Place }) {
  const text = strings.value;
  const name = nameOfPlace(place);
  return (
    <section class="list" aria-label={fill(text.chatsOf, { view: name })}>
      <header class="pane-head">
        <button
          type="button"
          class="button quiet round only-narrow"
          aria-label={text.menu}
          onClick={() => (overlay.value = 'menu')}
        >
          <Icon name="menu" />
        </button>
        <h1 class="one-line" title={name}>
          <bdi>{name}</bdi>
        </h1>
        <button
          type="button"
          class="button quiet round"
          aria-label={text.palette}
          title={`${text.palette} (Ctrl K)`}
          onClick={() => (overlay.value = 'palette')}
        >
          <Icon name="search" />
        </button>
      </header>
      {place.groupId !== undefined && <GroupViews place={place} />}
      <Rows place={place} />
    </section>
  );
}

/** Which chats of a group are listed: those that wait come first. */
function GroupViews({ place }: { place: Place }) {
  const text = strings.value;
  return (
    <div class="switch list-switch" role="group" aria-label={text.views}>
      {GROUP_VIEWS.map(({ view, name }) => (
        <button
          key={view}
          type="button"
          class="button small"
          aria-pressed={place.view === view}
          onClick={() => go({ page: 'inbox', place: { ...place, view } })}
        >
          {text[name]}
        </button>
      ))}
    </div>
  );
}

function Rows({ place }: { place: Place }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = visibleRows.value;
  const sample = useRef<HTMLElement>(null);
  const { height } = useSize(sample, 'row', { width: 1, height: ROW });
  const virtual = useVirtual({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: useCallback((index) => rows[index]?.id ?? index, [rows, height]),
    overscan: 6,
  });
  const measured = useRef(height);
  // Larger texts make higher rows: the same ones stay in view.
  useLayoutEffect(() => {
    if (measured.current === height) return;
    scroller.current!.scrollTop *= height / measured.current;
    measured.current = height;
  }, [height]);
  const readNext = () => {
    // The browser tells of scrolling with its next frame: the list may be gone by then.
    if (!scroller.current) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    if (hasMore.value && scrollHeight - scrollTop - clientHeight < 6 * height) void readMore();
  };
  // The page may be higher than the rows that were read, and one that was asked for may have been overtaken.
  const version = listVersion.value;
  useEffect(readNext, [version]);
  const items = virtual.getVirtualItems();
  return (
    <div class="rows" ref={scroller} onScroll={readNext} tabIndex={-1} aria-busy={!isLoaded.value}>
      <i class="row-size" ref={sample} />
      {rows.length === 0 ? (
        <NoRows place={place} />
      ) : (
        <ul class="row-list" style={{ height: `${virtual.getTotalSize()}px` }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && <RowLine key={key} row={row} start={start} place={place} position={index + 1} size={rows.length} />
            );
          })}
        </ul>
      )}
    </div>
  );
}

function NoRows({ place: { view } }: { place: Place }) {
  const text = strings.value;
  if (!isLoaded.value && (viewFailure.value === 'not_found' || viewFailure.value === 'forbidden')) {
    return (
      <div class="empty" role="alert">
        <p class="empty-title">{text.groupGone}</p>
        <p class="hint">{text.groupGoneHint}</p>
      </div>
    );
  }
  if (viewFailure.value && !isLoaded.value) {
    return (
      <div class="empty" role="alert">
        <p>{text.listFailed}</p>
        <button type="button" class="button" onClick={() => void readAgain().catch(() => undefined)}>
          {text.tryAgain}
        </button>
      </div>
    );
  }
  if (!isLoaded.value) {
    return (
      <div class="skeletons" role="status">
        <span class="hidden">{text.loading}</span>
        {[0, 1, 2, 3].map((key) => (
          <i key={key} />
        ))}
      </div>
    );
  }
  const [title, hint] = EMPTY[view];
  return (
    <div class="empty">
      <p class="empty-title">{text[title]}</p>
      <p class="hint">{text[hint]}</p>
    </div>
  );
}

interface RowLineProps {
  row: Row;
  start: number;
  place: Place;
  position: number;
  size: number;
}

function RowLine({ row, start, place, position, size }: RowLineProps) {
  const text = strings.value;
  const { id } = row;
  const { value: isOpen } = useComputed(() => route.value.page === 'inbox' && route.value.chatId === id);
  useEffect(() => {
    if (isOpen) noteOpenAt(id, position - 1);
  }, [isOpen, position]);
  const name = visitorName(row);
  const time = row.lastMessageAt ?? row.createdAt;
  const words = lastWords(row);
  // What the bot answers is nobody's to read.
  const isUnread = row.isUnread && row.owner !== 'BOT';
  const typists = typistsOf(row.id);
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    goToChat(row.id);
  };
  return (
    <li class="row-item" style={{ transform: `translateY(${start}px)` }} aria-posinset={position} aria-setsize={size}>
      <a
        class={`row ${isUnread ? 'unread' : ''}`}
        href={pathOf({ page: 'inbox', place, chatId: row.id })}
        aria-current={isOpen ? 'true' : undefined}
        data-id={row.id}
        onClick={follow}
      >
        <Avatar id={row.visitor.id} name={name} />
        <span class="row-head">
          <Name class="row-name" name={name} />
          <time dateTime={time} {...tellsFullTime(time)}>
            {listTime(time, slowNow.value)}
          </time>
        </span>
        <span class="row-words">
          {typists.length > 0 ? (
            <em class="typing-words one-line" title={listNames(typists)}>
              {fill(typists.length === 1 ? text.isTyping : text.areTyping, {
                name: typists[0]!,
                names: listNames(typists),
              })}
            </em>
          ) : (
            <bdi
              class={`last-words one-line ${row.lastMessage?.sender.type === 'SYSTEM' ? 'of-system' : ''}`}
              title={words}
            >
              {words}
            </bdi>
          )}
          {isUnread && (
            <span class="unread-dot">
              <span class="hidden">{text.unread}</span>
            </span>
          )}
        </span>
        <span class="row-marks">
          <Holder row={row} />
          <Wait row={row} />
          {row.score !== null && <Mark words={fill(text.ratedWith, { score: row.score })} />}
          <Watchers chatId={row.id} />
          {row.group && place.groupId === undefined && <Name class="row-group" name={row.group.name} />}
        </span>
      </a>
    </li>
  );
}

/** The name of a colleague who is asked; until the colleagues are read nobody knows it. */
const offeredName = (agentId: string) => people.value.find(({ id }) => id === agentId)?.name ?? '…';

/** Who has the chat. */
function Holder({ row }: { row: Row }) {
  const text = strings.value;
  if (row.offer) {
    const isMe = row.offer.agentId === me().id;
    return (
      <Mark
        kind="offered"
        words={isMe ? text.offeredToYou : fill(text.offeredTo, { name: offeredName(row.offer.agentId) })}
      />
    );
  }
  if (row.owner === 'BOT') {
    return <Mark icon="bot" words={text.isBots} />;
  }
  if (row.owner === 'NOBODY') return <Mark words={text.isEnded} />;
  if (row.owner !== 'AGENT') return null;
  return isMine(row) ? <Mark kind="own" words={text.isYours} /> : <Mark words={row.assignedTo?.name ?? ''} />;
}

function Mark({ kind = '', icon, words }: { kind?: string; icon?: IconName; words: string }) {
  return (
    <span class={`mark ${kind}`}>
      {icon && <Icon name={icon} />}
      <Name name={words} />
    </span>
  );
}

/** How long the chat waits: in the queue, or for an answer. The clock warns before the group's time is over. */
function Wait({ row: { queuedAt, waitingSince, owner, group } }: { row: Row }) {
  const text = strings.value;
  const since = queuedAt ?? (owner === 'AGENT' || owner === 'BOT' ? waitingSince : null);
  if (since === null) return null;
  const seconds = (now.value - Date.parse(since)) / 1000;
  const time = duration(seconds);
  if (owner === 'BOT' && seconds < BOT_STUCK_AFTER) return null;
  if (owner === 'BOT') return <BotIsStuck time={time} />;
  if (queuedAt === null) {
    return (
      <span class="wait" title={fill(text.unanswered, { time })}>
        <Icon name="waiting" />
        {time}
      </span>
    );
  }
  const most = groupOf(group?.id)?.maxWaitSeconds ?? 0;
  const level = most === 0 || seconds < most * WARNS_AT ? '' : seconds < most ? 'warns' : 'over';
  const words = { '': text.waits, warns: text.waitsLong, over: text.waitsTooLong }[level];
  return (
    <span class={`wait ${level}`} title={fill(words, { time })}>
      <Icon name="waiting" />
      {time}
      {level && <span class="hidden">{fill(words, { time })}</span>}
    </span>
  );
}

/** The bot has not answered: somebody should look. */
function BotIsStuck({ time }: { time: string }) {
  const words = fill(strings.value.botIsStuck, { time });
  return (
    <span class="wait over" title={words}>
      <Icon name="alert" />
      {time}
      <span class="hidden">{words}</span>
    </span>
  );
}

/** The colleagues who look at the chat. */
function Watchers({ chatId }: { chatId: string }) {
  const text = strings.value;
  const names = viewersOf(chatId);
  if (names.length === 0) return null;
  const words = fill(names.length === 1 ? text.looksAt : text.lookAt, { names: listNames(names) });
  return (
    <span class="mark" title={words}>
      <Icon name="eye" />
      <span class="hidden">{words}</span>
    </span>
  );
}
