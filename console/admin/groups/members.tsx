import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { readPeople } from '../../state/people.js';
import { Avatar } from '../../ui/parts/avatar.js';
import { Icon } from '../../ui/parts/icon.js';
import { useSteadyAction } from '../../ui/parts/use-steady-action.js';
import { notifyFailure } from '../parts/explain.js';
import { type AdminGroup, adminPath, type Agent, changeVersion, read, readAll, retryChange } from '../api.js';
import { Badge, PageSection, RowLink } from '../parts/page-section.js';
import { Select } from '../parts/filter.js';
import { Loaded } from '../parts/loaded.js';
import { useLiveReading } from '../parts/reading.js';

export function Members({ group }: { group: AdminGroup }) {
  const text = adminStrings.value;
  const all = useLiveReading(() => readAll<Agent>('/agents', 'agents'));
  const { isBusy, act } = useSteadyAction();
  const move = async (agent: Agent, isMember: boolean) => {
    try {
      await changeGroups(agent.id, (ids) => {
        const others = ids.filter((id) => id !== group.id);
        return isMember ? [...others, group.id] : others;
      });
      notify(fill(isMember ? text.joined : text.left, { name: agent.name, group: group.name }));
      void readPeople().catch(() => undefined);
    } catch (error) {
      notifyFailure(error);
    }
    await all.reread();
  };
  return (
    <PageSection title={text.members} hint={text.membersHint}>
      <Loaded of={all}>
        {(agents) => {
          const members = agents.filter(({ groupIds }) => groupIds.includes(group.id));
          const others = agents.filter(({ groupIds, isEnabled }) => isEnabled && !groupIds.includes(group.id));
          return (
            <>
              {members.length === 0 && <p class="hint">{text.noMembers}</p>}
              <ul class="lines">
                {members.map((agent) => (
                  <li key={agent.id} class="line">
                    <MemberRow agent={agent} isBusy={isBusy} onRemove={() => void act(() => move(agent, false))} />
                  </li>
                ))}
              </ul>
              {others.length > 0 && <AddMember agents={others} onAdd={(agent) => void move(agent, true)} />}
            </>
          );
        }}
      </Loaded>
    </PageSection>
  );
}

interface MemberRowProps {
  agent: Agent;
  isBusy: boolean;
  onRemove: () => void;
}

function MemberRow({ agent: { id, name, isEnabled }, isBusy, onRemove }: MemberRowProps) {
  const text = adminStrings.value;
  const remove = fill(text.takeOut, { name });
  return (
    <>
      <Avatar id={id} name={name} />
      <RowLink section="people" id={id} class="line-words">
        <bdi class="line-name">{name}</bdi>
      </RowLink>
      {!isEnabled && <Badge kind="bad">{text.disabled}</Badge>}
      <button
        type="button"
        class="button small quiet"
        aria-disabled={isBusy}
        aria-label={remove}
        title={remove}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </>
  );
}

function AddMember({ agents, onAdd }: { agents: readonly Agent[]; onAdd: (agent: Agent) => void }) {
  const text = adminStrings.value;
  const choices = [['', text.choosePerson] as const, ...agents.map(({ id, name }) => [id, name] as const)];
  const add = (chosen: string) => {
    const agent = agents.find(({ id }) => id === chosen);
    if (agent) onAdd(agent);
  };
  return <Select label={text.addMember} value="" choices={choices} onChange={add} />;
}

/** Changes an agent's groups. They are one list, so it retries when someone else changed the list at the same time. @throws RequestError */
function changeGroups(agentId: string, change: (groupIds: string[]) => string[]): Promise<void> {
  return retryChange(async () => {
    const agent = await read<Agent>(`/agents/${agentId}`);
    await changeVersion(adminPath(`/agents/${agentId}`), { groupIds: change(agent.groupIds) }, agent);
  });
}
