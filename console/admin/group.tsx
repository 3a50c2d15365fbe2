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
import { type AdminGroup, type Agent, change, read, readAll } from './api.js';
import { Choices, type FormState, NumberField, SavePageLine, TextField, useForm } from './form.js';
import { Badge, Deed, Part, RowLink, Select, Shown } from './kit.js';
import { type Reading, useReading } from './reading.js';
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

function Settings({ group, reading }: { group: AdminGroup; reading: Reading<AdminGroup> }) {
  const text = adminStrings.value;
  const { name, routing, offerSeconds, maxPendingOffers, maxWaitSeconds, onUnanswered } = group;
  const { offlineReassignSeconds } = group;
  const form: FormState<Values> = useForm<Values>(
    { name, routing, offerSeconds, maxPendingOffers, maxWaitSeconds, onUnanswered, offlineReassignSeconds },
    async (values) => {
      reading.set(await change<AdminGroup>(`/groups/${group.id}`, values));
      notify(text.saved);
      void readGroups().catch(() => undefined);
    },
    { guards: true },
  );
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
  // The groups of an agent are one list: it is read again, so that a change made meanwhile is kept.
  const move = async (agent: Agent, isMember: boolean) => {
    setBusy(true);
    try {
      const { groupIds } = await read<Agent>(`/agents/${agent.id}`);
      const others = groupIds.filter((id) => id !== group.id);
      await change<Agent>(`/agents/${agent.id}`, { groupIds: isMember ? [...others, group.id] : others });
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
