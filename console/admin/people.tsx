import { useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { adminStrings } from '../locales/admin-strings.js';
import { plural, strings } from '../locales/strings.js';
import { people } from '../state/people.js';
import { groups } from '../state/counts.js';
import { listNames } from '../lib/names.js';
import { fullTime } from '../lib/times.js';
import { Avatar } from '../ui/avatar.js';
import { Dialog } from '../ui/dialog.js';
import { PageHead } from '../ui/page-head.js';
import { add, type Agent, readAll, type SignInLink } from './api.js';
import { Checks, Choices, DialogSaveLine, NumberField, TextField, useForm } from './form.js';
import { AddButton, Badge, Empty, Filter, fits, RowLink, type Secret, SecretDialog, Shown } from './kit.js';
import { useReading } from './reading.js';
import type { Role } from '../api/types.js';

/** The people of the organization, and inviting more. */
export function PeoplePage() {
  const text = adminStrings.value;
  const [typed, setTyped] = useState('');
  const [isInviting, setInviting] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const agents = useReading(() => readAll<Agent>('/agents', 'agents'));
  const onInvited = (made: Secret) => {
    setInviting(false);
    setSecret(made);
    agents.again();
  };
  return (
    <>
      <PageHead title={strings.value.section.people}>
        <AddButton name={text.invite} onClick={() => setInviting(true)} />
      </PageHead>
      <div class="page-body">
        <p class="lead">{text.peopleLead}</p>
        <Shown of={agents}>
          {(all) => {
            const shown = all.filter(({ name, email }) => fits(typed, name, email));
            return (
              <>
                {all.length > 5 && <Filter value={typed} onInput={setTyped} label={text.findPerson} />}
                {shown.length === 0 && <Empty icon="find" title={text.noneFits} />}
                <ul class="lines">
                  {shown.toSorted(byName).map((agent) => (
                    <li key={agent.id}>
                      <PersonRow agent={agent} />
                    </li>
                  ))}
                </ul>
              </>
            );
          }}
        </Shown>
      </div>
      {isInviting && <InviteDialog onDone={onInvited} onClose={() => setInviting(false)} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

const byName = (one: Agent, other: Agent) =>
  Number(other.isEnabled) - Number(one.isEnabled) || one.name.localeCompare(other.name);

function PersonRow({ agent }: { agent: Agent }) {
  const { id, name, email, role, isEnabled, capacity, groupIds } = agent;
  const text = adminStrings.value;
  const seen = people.value.find((one) => one.id === id);
  return (
    <RowLink section="people" id={id}>
      <Avatar id={id} name={name} presence={isEnabled ? seen?.presence : undefined} />
      <span class="line-words">
        <bdi class="line-name">{name}</bdi>
        <bdi class="hint small">{email}</bdi>
      </span>
      <span class="line-more hint small">
        <bdi>{groupNames(groupIds) || text.noGroups}</bdi>
        {seen && isEnabled && <span>{fill(text.loadOf, { open: seen.openChats, capacity })}</span>}
      </span>
      <span class="line-badges">
        {!isEnabled && <Badge kind="bad">{text.disabled}</Badge>}
        {role !== 'AGENT' && <Badge kind={role === 'ADMIN' ? 'good' : 'plain'}>{text.role[role]}</Badge>}
      </span>
    </RowLink>
  );
}

/** The names of groups as a sentence has them; how many there are when they are many, or not known yet. */
function groupNames(ids: readonly string[]): string {
  const names = groups.value.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  const isCounted = names.length < ids.length || names.length > 4;
  return isCounted ? plural(adminStrings.value.groupCount, ids.length) : listNames(names);
}

const EMPTY = { name: '', email: '', role: 'AGENT' as Role, groupIds: [] as string[], capacity: 6 };

/** The link with which a person signs in, and what to do with it. */
export function linkSecret({ url, expiresAt }: SignInLink, name: string): Secret {
  const text = adminStrings.value;
  return {
    title: fill(text.linkTitle, { name }),
    hint: fill(text.linkHint, { name, time: fullTime(expiresAt) }),
    label: text.linkLabel,
    value: url,
  };
}

function InviteDialog({ onDone, onClose }: { onDone: (secret: Secret) => void; onClose: () => void }) {
  const text = adminStrings.value;
  const defaults = groups.value.filter(({ isDefault }) => isDefault).map(({ id }) => id);
  const [made, setMade] = useState<Agent | null>(null);
  const form = useForm(
    { ...EMPTY, groupIds: defaults },
    async (values) => {
      // The second try of one whose link could not be made makes the link alone.
      const agent = made ?? (await add<Agent>('/agents', values));
      setMade(agent);
      onDone(linkSecret(await add<SignInLink>(`/agents/${agent.id}/sign-in-links`), agent.name));
    },
    { explains: emailTaken },
  );
  return (
    <Dialog title={text.inviteTitle} form="wide" onClose={onClose}>
      <form class="form" onSubmit={form.submit}>
        <p class="hint">{text.inviteHint}</p>
        <PersonFields form={form} isNew />
        <DialogSaveLine form={form} name={text.inviteNow} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Says that an e-mail address belongs to another person already. */
export function emailTaken(error: unknown): string | undefined {
  return (error as { code?: string }).code === 'conflict' ? adminStrings.value.emailTaken : undefined;
}

interface PersonValues {
  name: string;
  email: string;
  role: Role;
  groupIds: string[];
  capacity: number;
}

/**
 * What an administrator says of a person.
 * @param isNew whether the fields are alone, and the first one gets the focus
 * @param isSelf the administrator's own role cannot be lowered
 */
export function PersonFields<V extends PersonValues>({
  form,
  isNew = false,
  isSelf = false,
}: {
  form: ReturnType<typeof useForm<V>>;
  isNew?: boolean;
  isSelf?: boolean;
}) {
  const text = adminStrings.value;
  const roles = (['AGENT', 'SUPERVISOR', 'ADMIN'] as const).map((value) => ({
    value,
    name: text.role[value],
    hint: text.roleHint[value],
    isDisabled: isSelf && value !== 'ADMIN',
  }));
  const choices = groups.value.map(({ id, name }) => ({ value: id, name }));
  return (
    <>
      <div class="pair">
        <TextField
          form={form}
          name="name"
          label={text.name}
          hint={text.nameHint}
          rule={text.textRule}
          input={{ required: true, maxLength: 200, autofocus: isNew }}
        />
        <TextField
          form={form}
          name="email"
          label={strings.value.email}
          hint={text.emailHint}
          rule={text.emailRule}
          input={{ type: 'email', required: true, maxLength: 254 }}
        />
      </div>
      <Choices form={form} name="role" label={text.roleName} choices={roles} hint={isSelf ? text.ownRole : undefined} />
      <Checks form={form} name="groupIds" label={strings.value.groups} choices={choices} hint={text.groupsHint} />
      <NumberField
        form={form}
        name="capacity"
        label={text.capacity}
        unit={text.capacityUnit}
        min={1}
        max={100}
        hint={text.capacityHint}
        rule={fill(text.rangeRule, { min: 1, max: 100 })}
      />
    </>
  );
}
