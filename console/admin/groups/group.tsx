import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { readGroups } from '../../state/inbox/counts.js';
import { notify } from '../../state/notices.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { notifyFailure } from '../parts/explain.js';
import { type AdminGroup, change, type Organization, read } from '../api.js';
import { Badge, ActionRow, PageSection } from '../parts/page-section.js';
import { Loaded } from '../parts/loaded.js';
import { type Reading, useLiveReading, useReading } from '../parts/reading.js';
import { Removal } from '../parts/removal.js';
import { Settings } from './group-form.js';
import { Members } from './members.js';

const GROUPS = { page: 'admin', section: 'groups' } as const;

export function GroupPage({ id }: { id: string }) {
  const group = useLiveReading(() => read<AdminGroup>(`/groups/${id}`));
  const organization = useReading(() => read<Organization>(''));
  return (
    <>
      <PageHead title={group.value?.name ?? strings.value.groups} back={{ target: GROUPS, name: strings.value.groups }}>
        {group.value?.isDefault && <Badge kind="good">{adminStrings.value.isDefault}</Badge>}
      </PageHead>
      <div class="page-body">
        <Loaded of={group}>
          {(value) => (
            <>
              <Loaded of={organization}>
                {(ofGroup) => <Settings group={value} organization={ofGroup} reading={group} />}
              </Loaded>
              <Members group={value} />
              <Actions group={value} reading={group} />
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

/** The default group can't be removed. */
function Actions({ group, reading }: { group: AdminGroup; reading: Reading<AdminGroup> }) {
  const text = adminStrings.value;
  const { id, name, isDefault } = group;
  if (isDefault) return <PageSection title={text.defaultGroup} hint={text.defaultHint} />;
  const makeDefault = () => {
    change<AdminGroup>(`/groups/${id}`, { isDefault: true }).then((changed) => {
      reading.set(changed);
      notify(fill(text.defaultNow, { name }));
    }, notifyFailure);
  };
  return (
    <PageSection title={text.moreActions}>
      <ActionRow title={text.makeDefault} hint={text.defaultHint}>
        <button type="button" class="button" onClick={makeDefault}>
          {text.makeDefault}
        </button>
      </ActionRow>
      <Removal
        name={name}
        title={text.removeGroup}
        hint={text.removeGroupHint}
        path={`/groups/${id}`}
        list={GROUPS}
        onRemoved={() => void readGroups().catch(() => undefined)}
      />
    </PageSection>
  );
}
