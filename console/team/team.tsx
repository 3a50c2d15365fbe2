import { useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { Select } from '../admin/parts/filter.js';
import { Loaded } from '../admin/parts/loaded.js';
import type { TeamGroup, TeamMember } from '../api/types.js';
import { duration } from '../lib/times.js';
import { nameOfVisitor } from '../lib/names.js';
import { adminStrings } from '../locales/admin-strings.js';
import { plural, pluralOfChats, strings } from '../locales/strings.js';
import { now } from '../state/clock.js';
import { PageHead } from '../ui/parts/page-head.js';
import { Name } from '../ui/parts/rich.js';
import { ChatLink } from '../ui/parts/chat-link.js';
import { Person, presenceOf } from './person.js';
import { type TeamNow, useTeam } from './use-team.js';

const ORDER = { ONLINE: 0, PAUSED: 1, OFFLINE: 2 };

/** Who works on what right now, and how long visitors wait. */
export function Team() {
  const [groupId, setGroup] = useState('');
  const team = useTeam();
  const groups = team.value?.groups ?? [];
  return (
    <>
      <PageHead title={strings.value.team}>
        <Select
          label={strings.value.group}
          value={groupId}
          choices={[['', adminStrings.value.allGroups] as const, ...groups.map(({ id, name }) => [id, name] as const)]}
          onChange={setGroup}
        />
      </PageHead>
      <div class="page-body team">
        <Loaded of={team}>{(value) => <Board team={value} groupId={groupId} />}</Loaded>
      </div>
    </>
  );
}

function Board({ team, groupId }: { team: TeamNow; groupId: string }) {
  const text = adminStrings.value.team;
  const groups = team.groups.filter(({ id }) => groupId === '' || id === groupId);
  const agents = team.agents
    .filter(({ groupIds }) => groupId === '' || groupIds.includes(groupId))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  return (
    <>
      <section aria-labelledby="team-groups">
        <h2 id="team-groups">{strings.value.groups}</h2>
        <ul class="lines team-groups">
          {groups.map((group) => (
            <GroupLine key={group.id} group={group} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="team-people">
        <h2 id="team-people">{text.people}</h2>
        {agents.length === 0 && <p class="hint">{text.noPeople}</p>}
        <ul class="lines team-people">
          {agents.map((agent) => (
            <Person key={agent.id} agent={agent} team={team} />
          ))}
        </ul>
      </section>
    </>
  );
}

const rank = (agent: TeamMember) => ORDER[presenceOf(agent).presence];

function GroupLine({ group }: { group: TeamGroup }) {
  const text = adminStrings.value.team;
  const { name, waitingChats, onlineAgents, maxWaitSeconds, longestWaiting: longest, isOpen } = group;
  const seconds = longest ? (now.value - Date.parse(longest.queuedAt)) / 1_000 : 0;
  const isLong = maxWaitSeconds > 0 && seconds > maxWaitSeconds;
  const isAlone = waitingChats > 0 && onlineAgents === 0;
  const online = isOpen ? plural(strings.value.onlineCount, onlineAgents) : text.closed;
  return (
    <li class="team-line">
      <Name class="line-name" name={name} />
      <span class={isAlone ? 'warns' : 'hint'}>{online}</span>
      <span class={waitingChats > 0 ? '' : 'hint'}>{pluralOfChats(strings.value.waitingCount, waitingChats)}</span>
      <span class="team-chat">
        {longest && (
          <ChatLink chatId={longest.chatId} view="WAITING" isLate={isLong}>
            {fill(text.longest, { name: nameOfVisitor(longest.visitor), time: duration(seconds) })}
          </ChatLink>
        )}
      </span>
    </li>
  );
}
