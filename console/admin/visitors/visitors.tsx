import { useState } from 'preact/hooks';
import { request } from '../../api/request.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { Avatar } from '../../ui/parts/avatar.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { adminPath, type Page, read, readPage, type Visitor } from '../api.js';
import { Ago, Badge, RowLink } from '../parts/page-section.js';
import { Empty, More, Loaded } from '../parts/loaded.js';
import { BlockedVisitors } from './blocked.js';
import { nameOfVisitor } from '../../lib/names.js';
import { usePages } from '../parts/reading.js';

/** The visitors, and finding one. */
export function VisitorsPage() {
  const text = adminStrings.value;
  const [typed, setTyped] = useState('');
  const [wanted, find] = useState('');
  const pages = usePages<Visitor>((cursor) => findVisitors(wanted, cursor), [wanted]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (typed.trim() === wanted) pages.again();
    else find(typed.trim());
  };
  return (
    <>
      <PageHead title={strings.value.section.visitors} />
      <div class="page-body">
        <p class="lead">{text.visitorsLead}</p>
        <form class="finder" role="search" onSubmit={submit}>
          <label class="field">
            <span class="field-name">{text.findVisitor}</span>
            <input
              type="search"
              value={typed}
              maxLength={320}
              dir="auto"
              placeholder={text.findVisitorHint}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button">
            {text.find}
          </button>
        </form>
        {wanted === '' && <BlockedVisitors />}
        <Loaded of={pages}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty
                icon="find"
                title={wanted ? text.noVisitorFound : text.noVisitors}
                hint={wanted ? text.noVisitorFoundHint : undefined}
              />
            ) : (
              <>
                <ul class="lines">
                  {withoutTwins(rows).map((visitor) => (
                    <li key={visitor.id}>
                      <VisitorRow visitor={visitor} />
                    </li>
                  ))}
                </ul>
                <More pages={pages} />
              </>
            )
          }
        </Loaded>
      </div>
    </>
  );
}

/** A visitor who matches twice may be on two pages. */
function withoutTwins(rows: readonly Visitor[]): Visitor[] {
  return [...new Map(rows.map((visitor) => [visitor.id, visitor])).values()];
}

function VisitorRow({ visitor }: { visitor: Visitor }) {
  const { id, email, externalId, isVerified, createdAt } = visitor;
  const text = adminStrings.value;
  return (
    <RowLink section="visitors" id={id}>
      <Avatar id={id} name={nameOfVisitor(visitor)} />
      <span class="line-words">
        <bdi class="line-name">{nameOfVisitor(visitor)}</bdi>
        <bdi class="hint small">{email ?? externalId ?? id}</bdi>
      </span>
      <span class="line-more hint small">
        <span>
          {text.since} <Ago at={createdAt} />
        </span>
      </span>
      <span class="line-badges">{isVerified && <Badge kind="good">{text.verified}</Badge>}</span>
    </RowLink>
  );
}

/** Searches by the start of a name, email, or external id, or by a visitor or chat id. */
async function findVisitors(wanted: string, cursor: string | null): Promise<Page<Visitor>> {
  const list = (query: Record<string, string>) => readPage<Visitor>('/visitors', 'visitors', cursor, query);
  if (wanted === '') return list({});
  if (wanted.startsWith('vis_') || wanted.startsWith('cht_')) {
    const found = await findById(wanted).catch((error: unknown) => {
      if ((error as { code?: string }).code === 'not_found') return null;
      throw error;
    });
    if (found) return { rows: [found], cursor: null };
  }
  return list({ search: wanted });
}

async function findById(id: string): Promise<Visitor> {
  if (id.startsWith('vis_')) return read<Visitor>(`/visitors/${encodeURIComponent(id)}`);
  const path = adminPath(`/chats/${encodeURIComponent(id)}`);
  const { visitor } = await request<{ visitor: { id: string } }>('GET', path);
  return read<Visitor>(`/visitors/${visitor.id}`);
}
