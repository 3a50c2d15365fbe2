import { useId, useRef, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { Failure } from '../admin/parts/loaded.js';
import { useReading } from '../admin/parts/reading.js';
import { get } from '../api/request.js';
import type { PauseReason, Presence, Row, TeamMember } from '../api/types.js';
import { lastWords, nameOfVisitor, visitorName } from '../lib/names.js';
import { duration } from '../lib/times.js';
import { adminStrings } from '../locales/admin-strings.js';
import { strings } from '../locales/strings.js';
import { now } from '../state/clock.js';
import { groupOf } from '../state/inbox/counts.js';
import { rowOf } from '../state/inbox/rows.js';
import { people } from '../state/people.js';
import { TransferDialog } from '../ui/chat/transfer-dialog.js';
import { Avatar } from '../ui/parts/avatar.js';
import { Icon } from '../ui/parts/icon.js';
import { Name } from '../ui/parts/rich.js';
import { ChatLink } from '../ui/parts/chat-link.js';
import type { TeamNow } from './use-team.js';

interface PresenceNow {
  presence: Presence;
  pauseReason: PauseReason | null;
  /** Null if it isn't known. */
  since: string | null;
}

/** The presence of an agent: events are newer than what was read. */
export function presenceOf({ id, presence, pauseReason, presenceSince }: TeamMember): PresenceNow {
  const latest = people.value.find((one) => one.id === id);
  const isSame = !latest || (latest.presence === presence && latest.pauseReason === pauseReason);
  if (isSame) return { presence, pauseReason, since: presenceSince };
  return { presence: latest.presence, pauseReason: latest.pauseReason, since: null };
}

function presenceWords({ presence, pauseReason }: PresenceNow): string {
  const { accepting, paused, pausedFor, isOffline } = strings.value;
  if (presence === 'OFFLINE') return isOffline;
  if (presence === 'ONLINE') return accepting;
  return pauseReason ? pausedFor[pauseReason] : paused;
}

const secondsSince = (iso: string) => (now.value - Date.parse(iso)) / 1_000;

/** A person with presence, load, and the chat that has waited longest. Opens to the chats that they have. */
export function Person({ agent, team }: { agent: TeamMember; team: TeamNow }) {
  const text = adminStrings.value.team;
  const { id, name, openChats, capacity, oldestUnanswered: oldest } = agent;
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const at = presenceOf(agent);
  return (
    <li class="team-line">
      <span class="person">
        <Avatar id={id} name={name} presence={at.presence} />
        <span class="person-words">
          <Name class="person-name" name={name} />
          <span class="hint small team-presence">
            <span>{presenceWords(at)}</span>
            {at.since && <span>{fill(text.since, { time: duration(secondsSince(at.since)) })}</span>}
          </span>
        </span>
      </span>
      <span class={`team-load ${openChats >= capacity ? 'warns' : ''}`}>
        <span>{fill(text.load, { count: openChats, capacity })}</span>
        <progress max={capacity} value={Math.min(openChats, capacity)} aria-hidden="true" />
      </span>
      <span class="team-chat">
        {oldest ? (
          <ChatLink chatId={oldest.chatId} view="OPEN" isLate={secondsSince(oldest.lateAt) > 0}>
            {fill(text.oldest, {
              name: nameOfVisitor(oldest.visitor),
              time: duration(secondsSince(oldest.waitingSince)),
            })}
          </ChatLink>
        ) : (
          <span class="hint">{openChats > 0 ? text.allAnswered : ''}</span>
        )}
      </span>
      <button
        ref={toggle}
        type="button"
        class="button quiet round"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-label={fill(text.chatsOf, { name })}
        title={fill(text.chatsOf, { name })}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chats" />
      </button>
      {isOpen && (
        <div class="team-chats" id={listId}>
          <Chats agent={agent} team={team} onMoved={() => toggle.current?.focus()} />
        </div>
      )}
    </li>
  );
}

/** The chats that a person has, each with a way to move it. */
function Chats({ agent, team, onMoved }: { agent: TeamMember; team: TeamNow; onMoved: () => void }) {
  const text = adminStrings.value.team;
  const [moving, move] = useState<Row | null>(null);
  const shown = useRef<Row[]>([]);
  const { value, failure, again } = useReading(() => readChats(agent.id), [agent.id, team]);
  // While it's read again, what was shown stays.
  if (value) shown.current = value;
  const rows = shown.current.map((row) => rowOf(row.id) ?? row).filter((row) => row.assignedTo?.id === agent.id);
  const hasLeft = !rows.some(({ id }) => id === moving?.id);
  return (
    <>
      {failure !== undefined && <Failure error={failure} again={again} isLine />}
      {value && rows.length === 0 && <p class="hint">{text.noChats}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <ChatLink chatId={row.id} view="OPEN" class="team-chat-link">
              <Name class="line-name" name={visitorName(row)} />
              <Name
                class="hint small"
                name={[groupOf(row.group.id)?.name, lastWords(row)].filter(Boolean).join(' · ')}
              />
            </ChatLink>
            {row.waitingSince && <span class="hint small">{duration(secondsSince(row.waitingSince))}</span>}
            <button
              type="button"
              class="button small"
              aria-label={fill(text.transferOf, { name: visitorName(row) })}
              onClick={() => move(row)}
            >
              <Icon name="transfer" />
              <span>{strings.value.transfer}</span>
            </button>
          </li>
        ))}
      </ul>
      {moving && (
        <TransferDialog
          row={rowOf(moving.id) ?? moving}
          problem={hasLeft ? fill(text.left, { name: agent.name }) : undefined}
          onClose={() => {
            move(null);
            onMoved();
          }}
        />
      )}
    </>
  );
}

async function readChats(agentId: string): Promise<Row[]> {
  const { chats } = await get<{ chats: Row[] }>(
    `/chats?${new URLSearchParams({ view: 'OPEN', agentId, limit: '100' })}`,
  );
  return chats;
}
