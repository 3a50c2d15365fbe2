import { useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { adminStrings } from '../locales/admin-strings.js';
import { strings } from '../locales/strings.js';
import { waitTime } from '../lib/times.js';
import { readGroups } from '../state/counts.js';
import { notify } from '../state/notices.js';
import { readPeople } from '../state/people.js';
import { Avatar } from '../ui/avatar.js';
import { Icon } from '../ui/icon.js';
import { PageHead } from '../ui/page-head.js';
import { notifyFailure } from './explain.js';
import { type AdminGroup, adminPath, type Agent, change, changeVersion, read, readAll } from './api.js';
import { Choices, NumberField, SavePageLine, TextField } from './form.js';
import { Badge, Deed, Part, RowLink, Select, Shown } from './kit.js';
import { type Reading, useReading } from './reading.js';
import { useRecordForm } from './record.js';
import { Removal } from './removal.js';

const GROUPS = { page: 'admin', section: 'groups' } as const;
const ROUTINGS = ['MANUAL', 'OFFER', 'AUTOMATIC'] as const;
const DAY = 86_400;

/** One group: how its chats find people, and who is in it. */
export function GroupPage({ id }: { id: string }) {
  const group = useReading(() => read<AdminGroup>(`/groups/${id}`));
  return (
    <>
      <PageHead title={group.value?.name ?? strings.value.groups} back={{ target: GROUPS, name: strings.value.groups }}>
        {group.value?.isDefault && <Badge kind="good">{adminStrings.value.isDefault}</Badge>}
      </PageHead>
      <div class="page-body">
        <Shown of={group}>
          {(value) => (
            <>
              <Settings group={value} reading={group} />
              <Members group={value} />
              <Deeds group={value} reading={group} />
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

type Values = Pick<
  AdminGroup,
  | 'name'
  | 'routing'
  | 'offerSeconds'
  | 'maxPendingOffers'
  | 'maxWaitSeconds'
  | 'onUnanswered'
  | 'offlineReassignSeconds'
>;

function toValues(group: AdminGroup): Values {
  const { name, routing, offerSeconds, maxPendingOffers, maxWaitSeconds, onUnanswered, offlineReassignSeconds } = group;
  return { name, routing, offerSeconds, maxPendingOffers, maxWaitSeconds, onUnanswered, offlineReassignSeconds };
}

function Settings({ group, reading }: { group: AdminGroup; reading: Reading<AdminGroup> }) {
  const text = adminStrings.value;
  const form = useRecordForm(group, {
    path: adminPath(`/groups/${group.id}`),
    toValues,
    toFields: (values) => ({ ...values }),
    onSaved: (saved) => {
      reading.set(saved);
      notify(text.saved);
      void readGroups().catch(() => undefined);
    },
  });
  const number = (
    field: 'offerSeconds' | 'maxPendingOffers' | 'maxWaitSeconds' | 'offlineReassignSeconds',
    min: number,
    max: number,
  ) => (
    <NumberField
      form={form}
      name={field}
      label={text[field]}
      unit={field === 'maxPendingOffers' ? '' : unitOf(form.values[field])}
      min={min}
      max={max}
      hint={text[`${field}Hint`]}
      rule={fill(text.rangeRule, { min, max })}
    />
  );
  const routings = ROUTINGS.map((value) => ({
    value,
    name: text.routing[value],
    hint: text.routingHint[value],
    more: value === 'OFFER' && (
      <>
        {number('offerSeconds', 10, 600)}
        {number('maxPendingOffers', 1, 100)}
      </>
    ),
  }));
  const ends = (['KEEP', 'RETURN_TO_BOT'] as const).map((value) => ({
    value,
    name: text.onUnansweredChoice[value],
    hint: text.onUnansweredHint[value],
  }));
  return (
    <form class="form" onSubmit={form.submit}>
      <TextField
        form={form}
        name="name"
        label={text.name}
        hint={text.groupNameHint}
        rule={text.textRule}
        input={{ required: true, maxLength: 200 }}
      />
      <Choices form={form} name="routing" label={text.routingName} choices={routings} />
      {number('maxWaitSeconds', 0, DAY)}
      {form.values.maxWaitSeconds > 0 && (
        <Choices form={form} name="onUnanswered" label={text.onUnanswered} choices={ends} />
      )}
      {number('offlineReassignSeconds', 0, DAY)}
      <SavePageLine form={form} />
    </form>
  );
}

/** "seconds, that is 3 minutes", as far as it helps. */
function unitOf(value: number): string {
  const text = adminStrings.value;
  if (value === 0) return `${text.seconds} · ${text.never}`;
  return value >= 60 && value % 60 === 0 ? `${text.seconds} · ${waitTime(value)}` : text.seconds;
}

function Members({ group }: { group: AdminGroup }) {
  const text = adminStrings.value;
  const all = useReading(() => readAll<Agent>('/agents', 'agents'));
  const [isBusy, setBusy] = useState(false);
  const move = async (agent: Agent, isMember: boolean) => {
    setBusy(true);
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
    all.again();
    setBusy(false);
  };
  return (
    <Part title={text.members} hint={text.membersHint}>
      <Shown of={all}>
        {(agents) => {
          const members = agents.filter(({ groupIds }) => groupIds.includes(group.id));
          const others = agents.filter(({ groupIds, isEnabled }) => isEnabled && !groupIds.includes(group.id));
          return (
            <>
              {members.length === 0 && <p class="hint">{text.noMembers}</p>}
              <ul class="lines">
                {members.map((agent) => (
                  <li key={agent.id} class="line">
                    <Avatar id={agent.id} name={agent.name} />
                    <RowLink section="people" id={agent.id} class="line-words">
                      <bdi class="line-name">{agent.name}</bdi>
                    </RowLink>
                    {!agent.isEnabled && <Badge kind="bad">{text.disabled}</Badge>}
                    <button
                      type="button"
                      class="button small quiet"
                      disabled={isBusy}
                      aria-label={fill(text.takeOut, { name: agent.name })}
                      title={fill(text.takeOut, { name: agent.name })}
                      onClick={() => void move(agent, false)}
                    >
                      <Icon name="close" />
                    </button>
                  </li>
                ))}
              </ul>
              {others.length > 0 && (
                <Select
                  label={text.addMember}
                  value=""
                  choices={[['', text.choosePerson] as const, ...others.map(({ id, name }) => [id, name] as const)]}
                  onChange={(id) => {
                    const agent = others.find((one) => one.id === id);
                    if (agent) void move(agent, true);
                  }}
                />
              )}
            </>
          );
        }}
      </Shown>
    </Part>
  );
}

/** Changes the groups of an agent, which are one list: a change that someone else makes meanwhile is kept. @throws RequestError */
async function changeGroups(agentId: string, change: (groupIds: string[]) => string[], tries = 3): Promise<void> {
  const agent = await read<Agent>(`/agents/${agentId}`);
  try {
    await changeVersion(adminPath(`/agents/${agentId}`), { groupIds: change(agent.groupIds) }, agent);
  } catch (error) {
    if ((error as { code?: string }).code !== 'precondition_failed' || tries === 1) throw error;
    await changeGroups(agentId, change, tries - 1);
  }
}

/** Making it the default, and removing it: the default group stays. */
function Deeds({ group, reading }: { group: AdminGroup; reading: Reading<AdminGroup> }) {
  const text = adminStrings.value;
  const { id, name, isDefault } = group;
  if (isDefault) return <Part title={text.defaultGroup} hint={text.defaultHint} />;
  const makeDefault = () => {
    change<AdminGroup>(`/groups/${id}`, { isDefault: true }).then((changed) => {
      reading.set(changed);
      notify(fill(text.defaultNow, { name }));
    }, notifyFailure);
  };
  return (
    <Part title={text.moreDeeds}>
      <Deed title={text.makeDefault} hint={text.defaultHint}>
        <button type="button" class="button" onClick={makeDefault}>
          {text.makeDefault}
        </button>
      </Deed>
      <Removal
        name={name}
        title={text.removeGroup}
        hint={text.removeGroupHint}
        path={`/groups/${id}`}
        list={GROUPS}
        onRemoved={() => void readGroups().catch(() => undefined)}
      />
    </Part>
  );
}
