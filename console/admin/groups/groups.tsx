import { useEffect, useState } from 'preact/hooks';
import { adminStrings } from '../../locales/admin-strings.js';
import { plural, strings } from '../../locales/strings.js';
import { groups, readGroups } from '../../state/inbox/counts.js';
import { people, readPeople } from '../../state/people.js';
import { go } from '../../state/route.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { add, type AdminGroup, adminPath, readAll } from '../api.js';
import { DialogSaveLine } from '../form/save-line.js';
import { NameField } from '../form/fields.js';
import { useCreateForm } from '../form/use-create-form.js';
import { AddButton, Badge, RowLink } from '../parts/page-section.js';
import { Loaded } from '../parts/loaded.js';
import { useLiveReading } from '../parts/reading.js';

export function GroupsPage() {
  const text = adminStrings.value;
  const [isAdding, setAdding] = useState(false);
  const all = useLiveReading(() => readAll<AdminGroup>('/groups', 'groups'));
  // Their numbers change without an event.
  useEffect(() => void Promise.allSettled([readGroups(), readPeople()]), []);
  return (
    <>
      <PageHead title={strings.value.section.groups}>
        <AddButton name={text.newGroup} onClick={() => setAdding(true)} />
      </PageHead>
      <div class="page-body">
        <p class="lead">{text.groupsLead}</p>
        <Loaded of={all}>
          {(rows) => (
            <ul class="lines">
              {rows
                .toSorted((one, other) => one.name.localeCompare(other.name))
                .map((group) => (
                  <li key={group.id}>
                    <GroupRow group={group} />
                  </li>
                ))}
            </ul>
          )}
        </Loaded>
      </div>
      {isAdding && <NewGroup onClose={() => setAdding(false)} />}
    </>
  );
}

function GroupRow({ group: { id, name, isDefault, routing } }: { group: AdminGroup }) {
  const text = adminStrings.value;
  const seen = groups.value.find((one) => one.id === id);
  const members = people.value.filter(({ groupIds }) => groupIds.includes(id)).length;
  return (
    <RowLink section="groups" id={id}>
      <Icon name="users" />
      <span class="line-words">
        <bdi class="line-name">{name}</bdi>
        <span class="hint small">{text.routing[routing]}</span>
      </span>
      <span class="line-more hint small">
        <span>{plural(text.memberCount, members)}</span>
        {seen && (
          <span>
            {plural(strings.value.onlineCount, seen.onlineAgents)} ·{' '}
            {plural(strings.value.waitingCount, seen.waitingChats)}
          </span>
        )}
      </span>
      <span class="line-badges">{isDefault && <Badge kind="good">{text.isDefault}</Badge>}</span>
    </RowLink>
  );
}

function NewGroup({ onClose }: { onClose: () => void }) {
  const text = adminStrings.value;
  const form = useCreateForm(
    { name: '' },
    {
      create: (values) => add<AdminGroup>('/groups', values),
      pathOf: ({ id }) => adminPath(`/groups/${id}`),
      onDone: ({ id }, wasShown) => {
        void readGroups().catch(() => undefined);
        if (wasShown) go({ page: 'admin', section: 'groups', id });
      },
      onClose,
    },
  );
  return (
    <Dialog title={text.newGroup} onClose={form.close}>
      <form class="form" noValidate onSubmit={form.submit}>
        <NameField form={form} hint={text.groupNameHint} autofocus />
        <DialogSaveLine form={form} name={text.addGroup} onClose={form.close} />
      </form>
    </Dialog>
  );
}
