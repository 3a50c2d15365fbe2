import { useRef } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { Row } from '../../api/types.js';
import { listNames, visitorName } from '../../lib/names.js';
import { strings } from '../../locales/strings.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { goToChat } from '../../state/route.js';
import { me } from '../../state/session.js';
import { isMine } from '../../state/inbox/views.js';
import { Avatar } from '../parts/avatar.js';
import { Icon } from '../parts/icon.js';
import { Popover } from '../parts/popover.js';
import { isSideShown, isWide, toggleDetails } from '../screen.js';
import { useSize } from '../parts/use-size.js';
import { acting, actionsOf } from './chat-actions.js';

/** The bar's buttons have labels from this width on, in pixels at the default text size. */
const LABELS_FROM_PX = 580;

/** It has buttons next to the menu from this width on. */
const BUTTONS_FROM_PX = 330;

export function Head({ chat, row }: { chat: OpenChat; row: Row }) {
  const text = strings.value;
  const name = visitorName(row);
  const others = chat.viewers.value.filter(({ id }) => id !== me().id);
  const watched = fill(others.length === 1 ? text.looksAt : text.lookAt, {
    names: listNames(others.map((one) => one.name)),
  });
  const areDetailsShown = isWide.value && isSideShown.value;
  const bar = useRef<HTMLElement>(null);
  const { width } = useSize(bar, 'bar', { width: 0, height: 0 });
  return (
    <header class="pane-head chat-head" ref={bar}>
      <button
        type="button"
        class="button quiet round only-narrow"
        aria-label={text.back}
        onClick={() => goToChat(undefined)}
      >
        <Icon name="back" />
      </button>
      <Avatar id={row.visitor.id} name={name} />
      <div class="chat-title">
        <h1 class="chat-name one-line" title={name}>
          <bdi>{name}</bdi>
        </h1>
        <p class="chat-state hint small">
          <Status row={row} />
          {others.length > 0 && (
            <span class="watchers one-line" title={watched}>
              <Icon name="eye" />
              <span class="hidden">{watched}</span>
              <bdi class="one-line" aria-hidden="true">
                {listNames(others.map((one) => one.name))}
              </bdi>
            </span>
          )}
        </p>
      </div>
      <Actions row={row} width={width / textScale()} />
      <button
        type="button"
        class="button quiet round"
        aria-label={areDetailsShown ? text.hideDetails : text.showDetails}
        title={areDetailsShown ? text.hideDetails : text.showDetails}
        aria-pressed={areDetailsShown}
        onClick={toggleDetails}
      >
        <Icon name="side" />
      </button>
    </header>
  );
}

function Status({ row: { owner, assignedTo, group } }: { row: Row }) {
  const text = strings.value;
  const words = {
    BOT: text.withBot,
    QUEUE: text.waiting,
    AGENT: assignedTo?.id === me().id ? text.isYours : (assignedTo?.name ?? ''),
    NOBODY: text.isEnded,
  }[owner];
  return (
    <span class={`status one-line ${owner.toLowerCase()}`} title={group ? `${words} · ${group.name}` : words}>
      <bdi>{words}</bdi>
      {group && (
        <>
          {' · '}
          <bdi>{group.name}</bdi>
        </>
      )}
    </span>
  );
}

/** The browser's text size, relative to the default. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** @param width of the bar, in pixels at the default text size: actions without room are in the menu */
function Actions({ row, width }: { row: Row; width: number }) {
  const text = strings.value;
  // The first action of a chat with the bot or in the queue is in the chat's foot.
  const isInFoot = row.owner === 'QUEUE' || row.owner === 'BOT';
  const actions = actionsOf(row).slice(isInFoot ? 1 : 0);
  const most = isMine(row) ? 2 : isInFoot ? 0 : 1;
  const count = width < BUTTONS_FROM_PX ? 0 : most;
  const rest = actions.slice(count);
  const hasWords = width >= LABELS_FROM_PX;
  return (
    <div class="chat-actions">
      {actions.slice(0, count).map(({ name, title = name, icon, run }) => (
        <button
          key={icon}
          type="button"
          class={`button ${hasWords ? '' : 'round'}`}
          title={title}
          aria-label={name}
          {...acting(row, run)}
        >
          <Icon name={icon} />
          {hasWords && <span>{name}</span>}
        </button>
      ))}
      {rest.length > 0 && (
        <Popover label={text.more} buttonClass="button quiet round" button={<Icon name="more" />} kind="menu">
          {() =>
            rest.map(({ name, title, icon, run }) => (
              <button key={icon} type="button" role="menuitem" title={title} {...acting(row, run)}>
                <Icon name={icon} />
                {name}
              </button>
            ))
          }
        </Popover>
      )}
    </div>
  );
}
