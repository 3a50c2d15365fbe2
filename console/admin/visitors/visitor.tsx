import { fill } from '../../../headless/text.js';
import { clockTime, fullTime, shortDate } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { Icon } from '../../ui/parts/icon.js';
import { VisitorChats } from '../../ui/chat/visitor-chats.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { Linked } from '../../ui/parts/rich.js';
import { adminPath, read, type Visitor } from '../api.js';
import { Badge, ActionRow, PageSection } from '../parts/page-section.js';
import { CopyField } from '../parts/copy-field.js';
import { Loaded } from '../parts/loaded.js';
import { useReading } from '../parts/reading.js';
import { Removal } from '../parts/removal.js';
import { nameOfVisitor } from '../../lib/names.js';

const VISITORS = { page: 'admin', section: 'visitors' } as const;

export function VisitorPage({ id }: { id: string }) {
  const title = strings.value.section.visitors;
  const visitor = useReading(() => read<Visitor>(`/visitors/${encodeURIComponent(id)}`));
  return (
    <>
      <PageHead title={visitor.value ? nameOfVisitor(visitor.value) : title} back={{ target: VISITORS, name: title }}>
        {visitor.value?.isVerified && <Badge kind="good">{adminStrings.value.verified}</Badge>}
      </PageHead>
      <div class="page-body">
        <Loaded of={visitor}>
          {(value) => (
            <>
              <Facts visitor={value} />
              <PageSection title={strings.value.chatsOfVisitor}>
                <VisitorChats visitorId={value.id} />
              </PageSection>
              <Actions visitor={value} />
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

function Facts({ visitor }: { visitor: Visitor }) {
  const text = adminStrings.value;
  const { id, name, email, externalId, isVerified, metadata, createdAt, mailStatus } = visitor;
  const facts: [string, string | null][] = [
    [text.name, name],
    [strings.value.email, email],
    ...(mailStatus === null || mailStatus === 'ACTIVE'
      ? []
      : [[strings.value.section.mail, text.mail.address[mailStatus]] as [string, string]]),
    [text.externalId, externalId],
    [text.firstSeen, `${shortDate(createdAt)}, ${clockTime(createdAt)}`],
    [text.identity, isVerified ? text.verifiedHint : text.unverifiedHint],
  ];
  const more = Object.entries(metadata).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return (
    <PageSection title={text.known}>
      <dl class="facts wide-facts" title={fullTime(createdAt)}>
        {[...facts, ...more].map(([key, value], index) => (
          <div key={`${index} ${key}`}>
            <dt>
              <bdi>{key}</bdi>
            </dt>
            <dd dir="auto">{value ? <Linked text={value} /> : <span class="hint">{text.unknown}</span>}</dd>
          </div>
        ))}
      </dl>
      <CopyField label={text.visitorId} value={id} />
    </PageSection>
  );
}

function Actions({ visitor }: { visitor: Visitor }) {
  const text = adminStrings.value;
  const path = `/visitors/${visitor.id}`;
  const name = nameOfVisitor(visitor);
  return (
    <PageSection title={text.privacy}>
      <ActionRow title={text.exportName} hint={text.exportHint}>
        <a class="button" href={adminPath(`${path}/export`)} download={`${visitor.id}.json`}>
          <Icon name="download" />
          {text.exportNow}
        </a>
      </ActionRow>
      <Removal
        name={name}
        title={text.erase}
        hint={text.eraseHint}
        path={path}
        list={VISITORS}
        question={fill(text.eraseTitle, { name })}
        told={text.erasedNow}
        confirmation={text.eraseNow}
        typed={text.eraseWord}
      />
    </PageSection>
  );
}
