import { fill } from '../../../headless/text.js';
import type { Row } from '../../api/types.js';
import { strings } from '../../locales/strings.js';
import { claim, endChat, follow, release, reopen, transfer, wake } from '../../state/actions.js';
import { hasDraft } from '../../state/chat/draft-files.js';
import { isConnected } from '../../state/connection.js';
import { isSupervisor, me } from '../../state/session.js';
import { chatSubject, inFlight } from '../../state/steady.js';
import { followed } from '../../state/inbox/followed.js';
import { isMine } from '../../state/inbox/views.js';
import type { IconName } from '../parts/icon.js';
import { leaveKind } from '../composer/composer-kind.js';
import { focusComposer, overlay } from '../screen.js';

interface Action {
  name: string;
  /** What the button's title says; omitted: the name. */
  title?: string;
  icon: IconName;
  run: () => void;
}

/** A button of a chat's action: it works once the chat has been shown for a moment, with a connection, and while none is in flight. */
export function acting({ id }: Row, run: () => void) {
  const isReady = chatSubject.isSteady.value && !inFlight.value.has(id) && isConnected.value;
  return { 'aria-disabled': !isReady, onClick: () => isReady && run() };
}

/** What this agent can do with a chat, most important first. */
export function actionsOf(row: Row): Action[] {
  return [...movesOf(row), ...(isMine(row) ? [] : [following(row)])];
}

/** Following a colleague's chat, or one that waits or is with the bot. */
function following({ id }: Row): Action {
  const { follow: name, unfollow } = strings.value;
  const isFollowed = followed.value.includes(id);
  return { name: isFollowed ? unfollow : name, icon: 'bell', run: () => void follow(id, !isFollowed) };
}

function movesOf(row: Row): Action[] {
  const text = strings.value;
  const { id, owner } = row;
  const toTransfer: Action = { name: text.transfer, icon: 'transfer', run: () => (overlay.value = 'transfer') };
  const toBot: Action = { name: text.return, icon: 'bot', run: () => (overlay.value = 'return') };
  const toEnd: Action = { name: text.closeChat, icon: 'done', run: () => askToEnd(row) };
  const more = isSupervisor() ? [toTransfer, toEnd] : [];
  if (isMine(row)) {
    const toSnooze: Action = row.snooze
      ? { name: text.wake, icon: 'snooze', run: () => void wake(id) }
      : { name: text.snooze, icon: 'snooze', run: () => (overlay.value = 'snooze') };
    return [toTransfer, toEnd, toSnooze, toBot, { name: text.release, icon: 'release', run: () => void release(id) }];
  }
  switch (owner) {
    case 'NOBODY':
      return [{ name: text.reopen, icon: 'reopen', run: () => void reopen(id) }];
    case 'AGENT':
      return isSupervisor()
        ? [
            {
              name: text.takeOver,
              title: fill(text.assignToMe, { name: row.assignedTo?.name ?? '' }),
              icon: 'claim',
              run: () => void transfer(id, { agentId: me().id }),
            },
            ...more,
            toBot,
          ]
        : [];
    case 'QUEUE':
      return [
        { name: text.claim, icon: 'claim', run: () => void take(row) },
        ...more,
        ...(isSupervisor() ? [toBot] : []),
      ];
    case 'BOT':
      return [{ name: text.takeOver, icon: 'claim', run: () => void take(row) }, ...more];
  }
}

/** Takes a chat, and puts the cursor into its field. */
async function take(row: Row): Promise<void> {
  if (!(await claim(row))) return;
  leaveKind(row.id);
  focusComposer();
}

/** Ends a chat; asks first if there is a draft. */
function askToEnd(row: Row): void {
  if (hasDraft(row.id)) overlay.value = 'end';
  else void endChat(row);
}
