import { useState } from 'preact/hooks';
import { clockTime, fullTime, shortDate } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { adminPath, type Agent, type AuditEntry, readAll, readPage } from '../api.js';
import { Changes } from './audit-changes.js';
import { AuditFilters, type Filter, NO_FILTER, queryOf } from './audit-filters.js';
import { Empty, More, Loaded } from '../parts/loaded.js';
import { RowLink } from '../parts/page-section.js';
import { type Pages, usePages, useReading } from '../parts/reading.js';

/** Who did what, the latest first. */
export function AuditPage() {
  const text = adminStrings.value;
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const query = queryOf(filter);
  const pages = usePages<AuditEntry>((cursor) => readPage('/audit', 'entries', cursor, query), Object.values(filter));
  // Until they're loaded, the ids are shown.
  const agents = useReading(() => readAll<Agent>('/agents', 'agents'));
  return (
    <>
      <PageHead title={strings.value.section.audit}>
        <a
          class="button"
          href={adminPath(`/audit/export?${new URLSearchParams({ ...query, bom: 'true' })}`)}
          download="audit.csv"
        >
          <Icon name="download" />
          {text.exportCsv}
        </a>
      </PageHead>
      <div class="page-body">
        <p class="lead">{text.auditLead}</p>
        <AuditFilters filter={filter} agents={agents.value ?? []} onChange={setFilter} />
        <Loaded of={pages}>
          {(entries) =>
            entries.length === 0 ? (
              <Empty icon="log" title={Object.keys(query).length > 0 ? text.noneFits : text.noEntries} />
            ) : (
              <Entries entries={entries} pages={pages} agents={agents.value ?? []} />
            )
          }
        </Loaded>
      </div>
    </>
  );
}

interface EntriesProps {
  entries: readonly AuditEntry[];
  pages: Pages<AuditEntry>;
  agents: readonly Agent[];
}

function Entries({ entries, pages, agents }: EntriesProps) {
  const text = adminStrings.value;
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  // Deleted targets have no page to link to.
  const removed = new Set(entries.filter(({ action }) => REMOVAL.test(action)).map(({ target }) => target));
  return (
    <>
      <div class="table-wrap" tabIndex={0} role="group" aria-label={strings.value.section.audit}>
        <table class="table audit">
          <thead>
            <tr>
              <th scope="col">{text.when}</th>
              <th scope="col">{text.who}</th>
              <th scope="col">{text.what}</th>
              <th scope="col">{text.whom}</th>
              <th scope="col">{text.sourceAddress}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} names={names} isRemoved={removed.has(entry.target)} />
            ))}
          </tbody>
        </table>
      </div>
      <More pages={pages} />
    </>
  );
}

const REMOVAL = /[.](?:deleted|revoked|erased)$/;

interface EntryProps {
  entry: AuditEntry;
  /** The names of the agents by their ids. */
  names: ReadonlyMap<string, string>;
  isRemoved: boolean;
}

function Entry({ entry, names, isRemoved }: EntryProps) {
  const text = adminStrings.value;
  const { at, actor, action, target, targetName, changes, sourceAddress } = entry;
  const isSelf = target !== null && target === actor.id;
  const isGone = isRemoved || (target !== null && target.startsWith('agt_') && !names.has(target));
  return (
    <tr>
      <td>
        <time dateTime={at} title={fullTime(at)}>
          {shortDate(at)}, {clockTime(at)}
        </time>
      </td>
      <td>
        <bdi>{actor.name ?? names.get(actor.id ?? '') ?? actorName(actor)}</bdi>
      </td>
      <td>
        {(text.action as Record<string, string>)[action] ?? action}
        <Changes kind={action.split('.')[0]!} changes={changes} />
      </td>
      <td>{target && !isSelf && <Target id={target} name={targetName ?? names.get(target)} isGone={isGone} />}</td>
      <td class="address">
        <bdi>{sourceAddress}</bdi>
      </td>
    </tr>
  );
}

const SECTIONS = { agt: 'people', vis: 'visitors', grp: 'groups', bot: 'bots', whk: 'webhooks' } as const;

function Target({ id, name, isGone }: { id: string; name: string | undefined; isGone: boolean }) {
  const section = (SECTIONS as Partial<Record<string, (typeof SECTIONS)[keyof typeof SECTIONS]>>)[id.slice(0, 3)];
  // The organization and its widget need no name here.
  const words = <bdi title={id}>{name ?? (id.startsWith('org_') ? '' : id)}</bdi>;
  if (!section || isGone) return words;
  return (
    <RowLink section={section} id={id} class="">
      {words}
    </RowLink>
  );
}

function actorName({ type, id }: AuditEntry['actor']): string {
  const text = adminStrings.value;
  if (type === 'ADMIN' && id === null) return text.adminToken;
  return (text.actor as Record<string, string>)[type] ?? type;
}
