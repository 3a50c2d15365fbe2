import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import type { Row } from '../api/types.js';
import { listNames, visitorName } from '../lib/names.js';
import { strings } from '../locales/strings.js';
import { claim, release, reopen, transfer } from '../state/actions.js';
import type { OpenChat } from '../state/chat.js';
import { isSure } from '../state/live.js';
import { offers } from '../state/offers.js';
import { openChat } from '../state/open-chat.js';
import { pending } from '../state/outbox.js';
import { people } from '../state/people.js';
import { goToChat } from '../state/route.js';
import { rowOf } from '../state/rows.js';
import { isSupervisor, me } from '../state/session.js';
import { isMine } from '../state/views.js';
import { Avatar } from './avatar.js';
import { Composer, composerKind } from './composer.js';
import { Conversation } from './conversation.js';
import { askToEnd } from './end-dialog.js';
import { Icon, type IconName } from './icon.js';
import { Popover } from './popover.js';
import { Keys } from './rich.js';
import { focusComposer, isSideShown, isWide, overlay, toggleDetails } from './screen.js';
import { useSize } from './use-size.js';

/** From this width of the bar on, in pixels at the usual size of texts, its buttons have words. */
const WORDS_FROM = 580;
/** From this width on, it has buttons beside the menu. */
const BUTTONS_FROM = 330;

/** The chat that is open. */
export function ChatPane() {
  const text = strings.value;
  const chat = openChat.value;
  if (!chat) {
    const [before, after] = text.chooseChatHint.split('{key}');
    return (
      <section class="chat empty" aria-label={text.conversation}>
        <p class="empty-title">{text.chooseChat}</p>
        <p class="hint">
          {before}
          <Keys keys="j" />
          {after}
        </p>
      </section>
    );
  }
  const row = rowOf(chat.id);
  const state = chat.state.value;
  if (state === 'gone') return <Gone title={text.chatGone} hint={text.chatGoneHint} />;
  if (state === 'failed') return <Gone title={text.chatFailed} />;
  if (!row) return <section class="chat" aria-busy="true" aria-label={text.conversation} />;
  return <Shown key={chat.id} chat={chat} row={row} />;
}

function Gone({ title, hint }: { title: string; hint?: string }) {
  return (
    <section class="chat empty" aria-label={strings.value.conversation}>
      <h1 class="empty-title">{title}</h1>
      {hint && <p class="hint">{hint}</p>}
      <button type="button" class="button" onClick={() => goToChat(undefined)}>
        {strings.value.back}
      </button>
    </section>
  );
}

function Shown({ chat, row }: { chat: OpenChat; row: Row }) {
  const name = visitorName(row);
  const text = strings.value;
  const foot = useRef<HTMLDivElement>(null);
  useSaidHeight(foot);
  // What one writes meanwhile is shown at once, also when the connection is lost before the chat is there.
  const hasUnsent = pending.value.some(({ chatId }) => chatId === chat.id);
  const isLoading = chat.state.value === 'loading' && chat.messages.value.length === 0 && !hasUnsent;
  return (
    <section class="chat" aria-label={`${text.conversation}: ${name}`}>
      <Head chat={chat} row={row} />
      {isLoading ? (
        <div class="conversation" aria-busy="true">
          <span class="hidden" role="status">
            {text.loading}
          </span>
        </div>
      ) : (
        <Conversation chat={chat} visitor={name} isOwn={isMine(row)} />
      )}
      <div class="chat-foot" ref={foot}>
        <Belonging row={row} />
        <Composer chat={chat} row={row} />
      </div>
    </section>
  );
}

/** Says in the style sheets how high the foot is: offers never cover it. */
function useSaidHeight(foot: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--foot', `${foot.current?.offsetHeight ?? 0}px`));
    observer.observe(foot.current!);
    return () => {
      observer.disconnect();
      style.removeProperty('--foot');
    };
  }, []);
}

function Head({ chat, row }: { chat: OpenChat; row: Row }) {
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

/** By how much texts are larger than usual, as the browser's setting has it. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

interface Action {
  name: string;
  icon: IconName;
  run: () => void;
}

/** What this agent may do with a chat, the most important first. */
export function actionsOf(row: Row): Action[] {
  const text = strings.value;
  const { id, owner } = row;
  const toTransfer: Action = { name: text.transfer, icon: 'transfer', run: () => (overlay.value = 'transfer') };
  const toBot: Action = { name: text.return, icon: 'bot', run: () => (overlay.value = 'return') };
  const toEnd: Action = { name: text.closeChat, icon: 'done', run: () => askToEnd(row) };
  const more = isSupervisor() ? [toTransfer, toEnd] : [];
  if (isMine(row)) {
    return [toTransfer, toEnd, toBot, { name: text.release, icon: 'release', run: () => void release(id) }];
  }
  switch (owner) {
    case 'NOBODY':
      return [{ name: text.reopen, icon: 'reopen', run: () => void reopen(id) }];
    case 'AGENT':
      return isSupervisor()
        ? [
            {
              name: fill(text.assignToMe, { name: row.assignedTo?.name ?? '' }),
              icon: 'claim',
              run: () => void transfer(id, { agentId: me().id }, '', false),
            },
            ...more,
            toBot,
          ]
        : [];
    case 'QUEUE':
      return [
        { name: text.claim, icon: 'claim', run: () => void claim(id) },
        ...more,
        ...(isSupervisor() ? [toBot] : []),
      ];
    case 'BOT':
      return [{ name: text.takeOver, icon: 'claim', run: () => void claim(id) }, ...more];
  }
}

/** @param width that of the bar, in pixels at the usual size of texts: what has no room in it is in the menu */
function Actions({ row, width }: { row: Row; width: number }) {
  const text = strings.value;
  // The chat's foot has the first action of a chat that waits or is with the bot.
  const isInFoot = row.owner === 'QUEUE' || row.owner === 'BOT';
  const actions = actionsOf(row).slice(isInFoot ? 1 : 0);
  const most = isMine(row) ? 2 : isInFoot ? 0 : 1;
  const count = width < BUTTONS_FROM ? 0 : most;
  const rest = actions.slice(count);
  const hasWords = width >= WORDS_FROM;
  return (
    <div class="chat-actions">
      {actions.slice(0, count).map(({ name, icon, run }) => (
        <button type="button" class={`button ${hasWords ? '' : 'round'}`} title={name} aria-label={name} onClick={run}>
          <Icon name={icon} />
          {hasWords && <span>{name}</span>}
        </button>
      ))}
      {rest.length > 0 && (
        <Popover label={text.more} buttonClass="button quiet round" button={<Icon name="more" />} kind="menu">
          {() =>
            rest.map(({ name, icon, run }) => (
              <button type="button" role="menuitem" onClick={run}>
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

function writeNote(): void {
  composerKind.value = 'note';
  focusComposer();
}

/** Says whose chat it is when it is another's, with what one can do about it. */
function Belonging({ row }: { row: Row }) {
  const text = strings.value;
  if (isMine(row) || row.owner === 'NOBODY') return null;
  const offeredTo = row.offer && people.value.find(({ id }) => id === row.offer!.agentId);
  const words =
    row.owner === 'BOT'
      ? text.belongsToBot
      : row.owner === 'AGENT'
        ? fill(text.belongsToOther, { name: row.assignedTo?.name ?? '' })
        : offeredTo && offeredTo.id !== me().id
          ? fill(text.belongsToOffer, { name: offeredTo.name })
          : text.belongsToQueue;
  const [first] = actionsOf(row);
  return (
    <div class="belonging">
      <p>
        <bdi>{words}</bdi>
      </p>
      {composerKind.value !== 'note' && (
        <button type="button" class="button quiet" onClick={writeNote}>
          <Icon name="note" />
          {text.addNote}
        </button>
      )}
      {first && row.owner !== 'AGENT' && (
        <button type="button" class="button primary" disabled={!isSure.value} onClick={first.run}>
          <Icon name={first.icon} />
          {first.name}
          {/* With offers the key takes the first of them. */}
          {offers.value.length === 0 && <Keys keys="c" />}
        </button>
      )}
    </div>
  );
}
