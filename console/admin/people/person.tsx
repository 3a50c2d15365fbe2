import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { groupOf, readGroups } from '../../state/inbox/counts.js';
import { notify } from '../../state/notices.js';
import { readPeople } from '../../state/people.js';
import { me } from '../../state/session.js';
import { shortDate } from '../../lib/times.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { useSteadyAction } from '../../ui/parts/use-steady-action.js';
import { notifyFailure } from '../parts/explain.js';
import { add, adminPath, type Agent, change, read, type SignInLink } from '../api.js';
import { SavePageLine } from '../form/save-line.js';
import { Badge, ActionRow, PageSection } from '../parts/page-section.js';
import { Confirm } from '../parts/confirm.js';
import { type Secret, SecretDialog } from '../parts/copy-field.js';
import { Loaded } from '../parts/loaded.js';
import { LeftChats } from './left-chats.js';
import { emailTaken, linkSecret, PersonFields } from './person-fields.js';
import { type Reading, useLiveReading } from '../parts/reading.js';
import { useRecordForm } from '../form/use-record-form.js';
import { Removal } from '../parts/removal.js';

const PEOPLE = { page: 'admin', section: 'people' } as const;

export function PersonPage({ id }: { id: string }) {
  const agent = useLiveReading(() => read<Agent>(`/agents/${id}`));
  return (
    <>
      <PageHead
        title={agent.value?.name ?? strings.value.section.people}
        back={{ target: PEOPLE, name: strings.value.section.people }}
      >
        {agent.value?.isEnabled === false && <Badge kind="bad">{adminStrings.value.disabled}</Badge>}
      </PageHead>
      <div class="page-body">
        <Loaded of={agent}>{(value) => <Person agent={value} reading={agent} />}</Loaded>
      </div>
    </>
  );
}

function Person({ agent, reading }: { agent: Agent; reading: Reading<Agent> }) {
  const text = adminStrings.value;
  const { createdAt } = agent;
  const path = `/agents/${agent.id}`;
  const form = useRecordForm(agent, {
    path: adminPath(path),
    toValues: ({ name, email, role, groupIds, capacity }) => ({ name, email, role, groupIds, capacity }),
    // Someone may have deleted a group since the page was opened.
    prepares: () => readGroups().catch(() => undefined),
    toFields: ({ groupIds, ...values }) => ({
      ...values,
      groupIds: groupIds.filter((one) => groupOf(one) !== undefined),
    }),
    explains: emailTaken,
    onSaved: (saved) => {
      reading.set(saved);
      notify(text.saved);
      void readPeople().catch(() => undefined);
    },
  });
  return (
    <>
      <form class="form" noValidate onSubmit={form.submit}>
        <PersonFields form={form} isSelf={agent.id === me().id} />
        <SavePageLine form={form} />
      </form>
      <SigningIn agent={agent} reading={reading} />
      <p class="hint small">{fill(text.addedOn, { time: shortDate(createdAt) })}</p>
    </>
  );
}

/** Administrators can't do these to themselves. */
function SigningIn({ agent, reading }: { agent: Agent; reading: Reading<Agent> }) {
  const text = adminStrings.value;
  const { id, name, isEnabled } = agent;
  const path = `/agents/${id}`;
  const [secret, setSecret] = useState<Secret | null>(null);
  const { isBusy, act } = useSteadyAction();
  if (id === me().id) return <PageSection title={text.signingIn} hint={text.notOneself} />;
  const makeLink = () => {
    void act(() =>
      add<SignInLink>(`${path}/sign-in-links`).then((link) => setSecret(linkSecret(link, name)), notifyFailure),
    );
  };
  const enable = async (enabled: boolean) => {
    reading.set(await change<Agent>(path, { isEnabled: enabled }));
    notify(fill(enabled ? text.enabledNow : text.disabledNow, { name }));
    void readPeople().catch(() => undefined);
  };
  return (
    <PageSection title={text.signingIn}>
      {isEnabled ? (
        <>
          <ActionRow title={text.newLink} hint={text.newLinkHint}>
            <button type="button" class="button" aria-disabled={isBusy} onClick={makeLink}>
              <Icon name="link" />
              {text.newLink}
            </button>
          </ActionRow>
          <Disabling agent={agent} run={() => enable(false)} />
        </>
      ) : (
        <ActionRow title={text.enable} hint={text.enableHint}>
          <button
            type="button"
            class="button"
            aria-disabled={isBusy}
            onClick={() => void act(() => enable(true).catch(notifyFailure))}
          >
            {text.enable}
          </button>
        </ActionRow>
      )}
      <Removal
        name={name}
        title={text.removePerson}
        hint={text.removePersonHint}
        more={<LeftChats agentId={id} />}
        path={path}
        list={PEOPLE}
        onRemoved={() => void readPeople().catch(() => undefined)}
      />
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </PageSection>
  );
}

function Disabling({ agent: { id, name }, run }: { agent: Agent; run: () => Promise<void> }) {
  const text = adminStrings.value;
  const [asks, ask] = useState(false);
  return (
    <ActionRow title={text.disable} hint={text.disableHint}>
      <button type="button" class="button danger-line" onClick={() => ask(true)}>
        {text.disable}
      </button>
      {asks && (
        <Confirm
          title={fill(text.disableTitle, { name })}
          hint={
            <>
              {text.disableHint} <LeftChats agentId={id} />
            </>
          }
          name={text.disable}
          isDanger
          run={run}
          onClose={() => ask(false)}
        />
      )}
    </ActionRow>
  );
}
