import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { plural, strings } from '../../locales/strings.js';
import { people, readPeople } from '../../state/people.js';
import { groups } from '../../state/inbox/counts.js';
import { changedFields } from '../../lib/merge.js';
import { listNames } from '../../lib/names.js';
import { Avatar } from '../../ui/parts/avatar.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { add, adminPath, type Agent, readAll, type SignInLink } from '../api.js';
import { DialogSaveLine } from '../form/save-line.js';
import { changeLatest, useCreateForm } from '../form/use-create-form.js';
import { AddButton, Badge, RowLink } from '../parts/page-section.js';
import { Empty, Loaded } from '../parts/loaded.js';
import { Filter, fits } from '../parts/filter.js';
import { type Secret, SecretDialog } from '../parts/copy-field.js';
import { useLiveReading } from '../parts/reading.js';
import type { Role } from '../../api/types.js';
import { emailTaken, linkSecret, PersonFields } from './person-fields.js';

export function PeoplePage() {
  const text = adminStrings.value;
  const [typed, setTyped] = useState('');
  const [isInviting, setInviting] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const agents = useLiveReading(() => readAll<Agent>('/agents', 'agents'));
  // Their numbers of chats change without an event.
  useEffect(() => void readPeople().catch(() => undefined), []);
  const onInvited = (made: Secret) => {
    setSecret(made);
    agents.again();
    void readPeople().catch(() => undefined);
  };
  return (
    <>
      <PageHead title={strings.value.section.people}>
        <AddButton name={text.invite} onClick={() => setInviting(true)} />
      </PageHead>
      <div class="page-body">
        <p class="lead">{text.peopleLead}</p>
        <Loaded of={agents}>
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
        </Loaded>
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

/** The names of up to four groups; otherwise their number. */
function groupNames(ids: readonly string[]): string {
  const names = groups.value.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  const isCounted = names.length < ids.length || names.length > 4;
  return isCounted ? plural(adminStrings.value.groupCount, ids.length) : listNames(names);
}

const EMPTY = { name: '', email: '', role: 'AGENT' as Role, groupIds: [] as string[], capacity: 6 };

const pathOf = ({ id }: Agent) => adminPath(`/agents/${id}`);

function InviteDialog({ onDone, onClose }: { onDone: (secret: Secret) => void; onClose: () => void }) {
  const text = adminStrings.value;
  const defaults = groups.value.filter(({ isDefault }) => isDefault).map(({ id }) => id);
  const added = useRef<{ agent: Agent; values: typeof EMPTY } | null>(null);
  const link = useRef<SignInLink | null>(null);
  const form = useCreateForm(
    { ...EMPTY, groupIds: defaults },
    {
      create: async (values) => {
        // If only creating the link failed, the retry creates just the link.
        const { current: before } = added;
        const agent = await (before
          ? changeLatest(pathOf(before.agent), changedFields(before.values, values), before.agent)
          : add<Agent>('/agents', values));
        added.current = { agent, values };
        link.current = await add<SignInLink>(`/agents/${agent.id}/sign-in-links`);
        return agent;
      },
      pathOf,
      onDone: ({ name }) => onDone(linkSecret(link.current!, name)),
      onClose,
      explains: emailTaken,
    },
  );
  return (
    <Dialog title={text.inviteTitle} form="wide" onClose={form.close}>
      <form class="form" noValidate onSubmit={form.submit}>
        <p class="hint">{text.inviteHint}</p>
        <PersonFields form={form} isNew />
        <DialogSaveLine form={form} name={text.inviteNow} onClose={form.close} />
      </form>
    </Dialog>
  );
}
