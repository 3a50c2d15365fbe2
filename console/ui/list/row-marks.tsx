import { fill } from '../../../headless/text.js';
import type { Row } from '../../api/types.js';
import { listNames, snoozeWords } from '../../lib/names.js';
import { duration } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { now } from '../../state/clock.js';
import { groupOf } from '../../state/inbox/counts.js';
import { followed } from '../../state/inbox/followed.js';
import { isMine } from '../../state/inbox/views.js';
import { unsent } from '../../state/chat/outbox.js';
import { people } from '../../state/people.js';
import { viewersOf } from '../../state/inbox/watchers.js';
import { me } from '../../state/session.js';
import { Icon, type IconName } from '../parts/icon.js';
import { Name } from '../parts/rich.js';

/** The clock of a waiting chat warns from this share of `maxWaitSeconds` on. */
const WARNS_AT = 2 / 3;

/** A bot that hasn't answered for this long is marked. */
const BOT_STUCK_AFTER_SECONDS = 60;

/** The name of the colleague who has the offer; unknown until the colleagues are loaded. */
const offeredName = (agentId: string) => people.value.find(({ id }) => id === agentId)?.name ?? '…';

/** Whether its bots haven't taken the visitor's message. An answer ends that before the service says so. */
const isBotSilent = ({ botSilentSince, waitingSince }: Row) => Boolean(botSilentSince && waitingSince);

/** @param isMineListed whether the list has the agent's own chats, where their name would say nothing */
export function Holder({ row, isMineListed }: { row: Row; isMineListed?: boolean }) {
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
    if (isBotSilent(row)) return <Mark kind="silent" icon="alert" words={text.botIsSilent} />;
    return <Mark icon="bot" words={text.isBots} />;
  }
  if (row.owner === 'NOBODY') return <Mark words={text.isEnded} />;
  if (row.owner !== 'AGENT') return null;
  if (row.snooze)
    return (
      <Mark
        kind="snoozed"
        icon="snooze"
        words={isMine(row) ? snoozeWords(row) : `${row.assignedTo?.name} · ${snoozeWords(row)}`}
      />
    );
  if (isMine(row)) return isMineListed ? null : <Mark kind="own" words={text.isYours} />;
  return <Mark words={row.assignedTo?.name ?? ''} />;
}

/** Whether an answer of this agent wasn't sent. */
export function Unsent({ chatId }: { chatId: string }) {
  const isUnsent = unsent.value.some((kept) => kept.chatId === chatId);
  return isUnsent ? <Mark kind="silent" icon="alert" words={strings.value.isUnsent} /> : null;
}

export function Mark({ kind = '', icon, words }: { kind?: string; icon?: IconName; words: string }) {
  return (
    <span class={`mark ${kind}`}>
      {icon && <Icon name={icon} />}
      <Name name={words} />
    </span>
  );
}

/** How long the chat has waited, in the queue or for an answer. */
export function Wait({ row: { queuedAt, waitingSince, owner, group } }: { row: Row }) {
  const text = strings.value;
  const since = queuedAt ?? (owner === 'AGENT' || owner === 'BOT' ? waitingSince : null);
  if (since === null) return null;
  const seconds = (now.value - Date.parse(since)) / 1000;
  const time = duration(seconds);
  if (owner === 'BOT' && seconds < BOT_STUCK_AFTER_SECONDS) return null;
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

function Followed({ chatId }: { chatId: string }) {
  const words = strings.value.isFollowed;
  if (!followed.value.includes(chatId)) return null;
  return (
    <span class="mark" title={words}>
      <Icon name="bell" />
      <span class="hidden">{words}</span>
    </span>
  );
}

/** Whether this agent follows the chat, and the colleagues who are viewing it. */
export function Watchers({ chatId }: { chatId: string }) {
  return (
    <>
      <Followed chatId={chatId} />
      <Viewers chatId={chatId} />
    </>
  );
}

function Viewers({ chatId }: { chatId: string }) {
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
