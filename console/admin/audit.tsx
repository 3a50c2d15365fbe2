import { clockTime, fullTime, shortDate } from '../lib/times.js';
import { adminStrings } from '../locales/admin-strings.js';
import { strings } from '../locales/strings.js';
import { PageHead } from '../ui/page-head.js';
import { type Agent, type AuditEntry, readAll, readPage } from './api.js';
import { Empty, More, RowLink, Shown } from './kit.js';
import { usePages, useReading } from './reading.js';

/** Who did what, the latest first. */
export function AuditPage() {
  const text = adminStrings.value;
  const pages = usePages<AuditEntry>((cursor) => readPage('/audit', 'entries', cursor));
  // Without them the ids stand there.
  const agents = useReading(() => readAll<Agent>('/agents', 'agents'));
  const names = new Map(agents.value?.map(({ id, name }) => [id, name]));
  return (
    <>
      <PageHead title={strings.value.section.audit} />
      <div class="page-body">
        <p class="lead">{text.auditLead}</p>
        <Shown of={pages}>
          {(entries) =>
            entries.length === 0 ? (
              <Empty icon="log" title={text.noEntries} />
            ) : (
              <>
                <div class="table-wrap" tabIndex={0} role="group" aria-label={strings.value.section.audit}>
                  <table class="table">
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
                        <Entry key={entry.id} entry={entry} names={names} />
                      ))}
                    </tbody>
                  </table>
                </div>
                <More pages={pages} />
              </>
            )
          }
        </Shown>
      </div>
    </>
  );
}

interface EntryProps {
  entry: AuditEntry;
  /** The names of the agents by their ids. */
  names: ReadonlyMap<string, string>;
}

function Entry({ entry: { at, actor, action, target, sourceAddress }, names }: EntryProps) {
  const text = adminStrings.value;
  const isSelf = target !== null && target === actor.id;
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
      <td>{(text.action as Record<string, string>)[action] ?? action}</td>
      <td>{target && !isSelf && <Target id={target} name={names.get(target)} />}</td>
      <td class="address">
        <bdi>{sourceAddress}</bdi>
      </td>
    </tr>
  );
}

function Target({ id, name }: { id: string; name: string | undefined }) {
  const section = id.startsWith('vis_') ? 'visitors' : 'people';
  return (
    <RowLink section={section} id={id} class="">
      <bdi>{name ?? id}</bdi>
    </RowLink>
  );
}

function actorName({ type, id }: AuditEntry['actor']): string {
  const text = adminStrings.value;
  if (type === 'ADMIN' && id === null) return text.adminToken;
  return (text.actor as Record<string, string>)[type] ?? type;
}
