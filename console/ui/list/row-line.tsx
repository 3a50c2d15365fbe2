import { useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { Row } from '../../api/types.js';
import { lastEvent, lastMessageOf, lastWords, listNames, visitorName } from '../../lib/names.js';
import { listTime, withFullTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { slowNow } from '../../state/clock.js';
import { goToChat, pathOf, route } from '../../state/route.js';
import { noteOpenAt, type Place } from '../../state/inbox/views.js';
import { isSelected, isSelecting, toggleSelected } from '../../state/inbox/selection.js';
import { typistsOf } from '../../state/inbox/watchers.js';
import { Avatar } from '../parts/avatar.js';
import { Icon } from '../parts/icon.js';
import { Name } from '../parts/rich.js';
import { RowTags } from '../parts/tag.js';
import { Holder, Mark, Unsent, Wait, Watchers } from './row-marks.js';

interface RowLineProps {
  row: Row;
  start: number;
  place: Place;
  position: number;
  size: number;
}

export function RowLine({ row, start, place, position, size }: RowLineProps) {
  const text = strings.value;
  const { id } = row;
  const link = useRef<HTMLAnchorElement>(null);
  const isOpen = useIsOpen(id, position, link);
  const name = visitorName(row);
  const time = lastMessageOf(row)?.createdAt ?? row.lastMessageAt ?? row.createdAt;
  // While the bot has the chat, no one has to read it.
  const isUnread = row.isUnread && row.owner !== 'BOT';
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (event.shiftKey) toggleSelected(id, true);
    else goToChat(id);
  };
  return (
    <li class="row-item" style={{ transform: `translateY(${start}px)` }} aria-posinset={position} aria-setsize={size}>
      <a
        ref={link}
        class={`row ${isUnread ? 'unread' : ''}`}
        href={pathOf({ page: 'inbox', place, chatId: row.id })}
        aria-current={isOpen ? 'true' : undefined}
        data-id={row.id}
        onClick={follow}
      >
        {isSelecting.value ? <i class="avatar-place" /> : <Avatar id={row.visitor.id} name={name} />}
        <span class="row-head">
          <Name class="row-name" name={name} />
          <time dateTime={time} {...withFullTime(time)}>
            {listTime(time, slowNow.value)}
          </time>
        </span>
        <span class="row-words">
          <RowWords row={row} />
          {isUnread && (
            <span class="unread-dot">
              <span class="hidden">{text.unread}</span>
            </span>
          )}
        </span>
        <RowMarks row={row} place={place} />
      </a>
      {isSelecting.value && (
        <input
          type="checkbox"
          class="row-check"
          aria-label={fill(text.selectChat, { name })}
          checked={isSelected(id)}
          onClick={({ shiftKey }) => toggleSelected(id, shiftKey)}
        />
      )}
    </li>
  );
}

/** Who has the chat, how long it waits, and what it's about. */
function RowMarks({ row, place }: { row: Row; place: Place }) {
  return (
    <span class="row-marks">
      <Unsent chatId={row.id} />
      {row.mailsToCheck > 0 && (
        <Mark kind="silent" icon="mail" words={fill(strings.value.mailsMark, { count: row.mailsToCheck })} />
      )}
      <Holder row={row} isMineListed={place.view === 'MINE'} />
      <Wait row={row} />
      {row.score !== null && <Mark words={fill(strings.value.ratedWith, { score: row.score })} />}
      <RowTags tags={row.tags} />
      <Watchers chatId={row.id} />
      {row.group && place.groupId === undefined && <Name class="row-group" name={row.group.name} />}
    </span>
  );
}

/** Who is typing, or the last message. */
function RowWords({ row }: { row: Row }) {
  const text = strings.value;
  const typists = typistsOf(row.id);
  if (typists.length > 0) {
    const names = listNames(typists);
    return (
      <em class="typing-words one-line" title={names}>
        {fill(typists.length === 1 ? text.isTyping : text.areTyping, { name: typists[0]!, names })}
      </em>
    );
  }
  const words = lastWords(row);
  const event = lastEvent(row);
  return (
    <>
      {event && (
        <span class="last-event" title={event}>
          <Icon name="log" />
          <span class="hidden">{event}</span>
        </span>
      )}
      <bdi
        class={`last-words one-line ${lastMessageOf(row)?.sender.type === 'SYSTEM' ? 'of-system' : ''}`}
        title={words}
      >
        {words}
      </bdi>
    </>
  );
}

/** Whether the chat is open. Its row takes the focus if nothing else has it, such as after the row before left the list. */
function useIsOpen(id: string, position: number, link: RefObject<HTMLElement | null>): boolean {
  const { value: isOpen } = useComputed(() => route.value.page === 'inbox' && route.value.chatId === id);
  useEffect(() => {
    if (isOpen) noteOpenAt(id, position - 1);
  }, [isOpen, position]);
  useEffect(() => {
    if (isOpen && document.activeElement?.matches('body, .rows')) link.current!.focus({ preventScroll: true });
  }, [isOpen]);
  return isOpen;
}
