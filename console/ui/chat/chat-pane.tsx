import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { Row } from '../../api/types.js';
import { snoozeWords, visitorName } from '../../lib/names.js';
import { strings } from '../../locales/strings.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { filesCode } from '../../state/chat/draft-files.js';
import { isSure } from '../../state/live.js';
import { offers } from '../../state/inbox/offers.js';
import { openChat } from '../../state/chat/open-chat.js';
import { pending } from '../../state/chat/outbox.js';
import { people } from '../../state/people.js';
import { wake } from '../../state/actions.js';
import { goToChat } from '../../state/route.js';
import { rowOf } from '../../state/inbox/rows.js';
import { me } from '../../state/session.js';
import { isMine } from '../../state/inbox/views.js';
import { Composer } from '../composer/composer.js';
import { kindOf, setKind } from '../composer/composer-kind.js';
import { Conversation } from '../conversation/conversation.js';
import { useFilesCode } from '../parts/files.js';
import { Icon } from '../parts/icon.js';
import { Keys } from '../parts/rich.js';
import { focusComposer, overlay } from '../screen.js';
import { Head } from './chat-head.js';
import { acting, actionsOf } from './chat-actions.js';

/** The open chat. */
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
  return <ChatView key={chat.id} chat={chat} row={row} />;
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

function ChatView({ chat, row }: { chat: OpenChat; row: Row }) {
  const name = visitorName(row);
  const text = strings.value;
  const foot = useRef<HTMLDivElement>(null);
  useFootHeight(foot);
  // Unsent messages are shown immediately, even if the chat isn't loaded yet.
  const hasUnsent = pending.value.some(({ chatId }) => chatId === chat.id);
  const waitsForFiles = useWaitsForFiles(chat);
  const isLoading = waitsForFiles || (chat.state.value === 'loading' && chat.messages.value.length === 0 && !hasUnsent);
  const code = filesCode.value;
  const kind = isMine(row) || row.owner === 'NOBODY' ? kindOf(chat.id) : 'note';
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
      {/* Without a key, the loading conversation could become the foot, and the composer would lose the focus. */}
      <div key="foot" class="chat-foot" ref={foot}>
        {row.mailsToCheck > 0 && <MailsLine row={row} />}
        <OwnerLine row={row} />
        <Composer chat={chat} row={row} />
      </div>
      {code && <code.DropZone chatId={chat.id} kind={kind} visitor={name} />}
      {code && <code.ViewerOf chat={chat} />}
    </section>
  );
}

/** Whether files would move the lines when their code arrives. What is shown stays. */
function useWaitsForFiles(chat: OpenChat): boolean {
  const isShown = useRef(false);
  const hasFiles = chat.messages.value.some(({ files }) => files);
  const waits = useFilesCode(hasFiles) === undefined && hasFiles && !isShown.current;
  useLayoutEffect(() => {
    isShown.current ||= !waits && chat.messages.value.length > 0;
  });
  return waits;
}

/** Sets the foot's height as a CSS variable, so that offers never cover it. */
function useFootHeight(foot: RefObject<HTMLElement | null>): void {
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

function writeNote(chatId: string): void {
  setKind(chatId, 'note');
  focusComposer();
}

/** Says that e-mails wait to be checked. */
function MailsLine({ row }: { row: Row }) {
  const text = strings.value;
  return (
    <div class="belonging">
      <p>{row.mailsToCheck === 1 ? text.mailToCheck : fill(text.mailsToCheck, { count: row.mailsToCheck })}</p>
      <button type="button" class="button" {...acting(row, () => (overlay.value = 'mails'))}>
        <Icon name="mail" />
        {text.checkMails}
      </button>
    </div>
  );
}

/** Names the owner of a chat that isn't the agent's, with what the agent can do. */
function OwnerLine({ row }: { row: Row }) {
  const text = strings.value;
  if (isMine(row)) return row.snooze ? <SnoozedLine row={row} /> : null;
  if (row.owner === 'NOBODY') return null;
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
      <p class="one-line" title={words}>
        <bdi>{words}</bdi>
      </p>
      {kindOf(row.id) !== 'note' && (
        <button type="button" class="button quiet" onClick={() => writeNote(row.id)}>
          <Icon name="note" />
          {text.addNote}
        </button>
      )}
      {first && row.owner !== 'AGENT' && (
        <button type="button" class="button primary" disabled={!isSure.value} {...acting(row, first.run)}>
          <Icon name={first.icon} />
          {first.name}
          {/* With pending offers, the key accepts the first. */}
          {offers.value.length === 0 && <Keys keys="c" />}
        </button>
      )}
    </div>
  );
}

/** Says until when the agent's chat is snoozed. */
function SnoozedLine({ row }: { row: Row }) {
  return (
    <div class="belonging">
      <p>{snoozeWords(row)}</p>
      <button type="button" class="button" disabled={!isSure.value} {...acting(row, () => void wake(row.id))}>
        <Icon name="snooze" />
        {strings.value.wake}
      </button>
    </div>
  );
}
