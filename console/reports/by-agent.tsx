import { PageSection } from '../admin/parts/page-section.js';
import { adminStrings } from '../locales/admin-strings.js';
import { locale } from '../locales/strings.js';
import { scoreWords, span } from '../overview/format.js';
import { sumOf } from '../overview/numbers.js';
import type { AgentsReport } from './range.js';

/** What each agent did, by name. */
export function ByAgent({ report: { agents, days } }: { report: AgentsReport }) {
  const text = adminStrings.value;
  const number = (value: number) => new Intl.NumberFormat(locale.value).format(value);
  // A disabled agent matters only for what they did.
  const shown = agents
    .filter(({ isEnabled, replies, assigned, rated }) => isEnabled || replies + assigned + rated > 0)
    .toSorted((a, b) => a.name.localeCompare(b.name, locale.value));
  const sum = (name: 'replies' | 'assigned' | 'rated') => agents.reduce((all, agent) => all + agent[name], 0);
  // As the overview counts: people who were removed have no row, but what they did stays.
  const total = { assigned: sumOf(days, 'assigned'), rated: sumOf(days, 'rated') };
  const bots = sumOf(days, 'ratedWithoutAgent');
  const removed = { assigned: total.assigned - sum('assigned'), rated: total.rated - sum('rated') - bots };
  return (
    <PageSection title={text.byAgent}>
      <div class="table-wrap" tabIndex={0} role="group" aria-label={text.byAgent}>
        <table class="table numbers">
          <thead>
            <tr>
              <th scope="col">{text.agent}</th>
              <th scope="col">{text.plots.created}</th>
              <th scope="col">{text.replies}</th>
              <th scope="col">{text.fromQueue}</th>
              <th scope="col" class="long">
                {text.plots.medianFirstReplySeconds}
              </th>
              <th scope="col">{text.rated}</th>
              <th scope="col">{text.averageScore}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((agent) => (
              <tr key={agent.id}>
                <th scope="row">
                  <bdi>{agent.name}</bdi>
                </th>
                <td>{number(agent.chats)}</td>
                <td>{number(agent.replies)}</td>
                <td>{number(agent.assigned)}</td>
                <td>{agent.medianFirstReplySeconds === null ? '–' : span(agent.medianFirstReplySeconds)}</td>
                <td>{number(agent.rated)}</td>
                <td>{scoreWords(agent.averageScore)}</td>
              </tr>
            ))}
            {removed.assigned + removed.rated > 0 && <SumRow name={text.removedPeople} {...removed} />}
            {bots > 0 && <SumRow name={text.onlyBots} assigned={0} rated={bots} />}
          </tbody>
          <tfoot>
            <SumRow name={text.total} replies={sum('replies')} {...total} />
          </tfoot>
        </table>
      </div>
    </PageSection>
  );
}

interface SumRowProps {
  name: string;
  /** Undefined where it isn't known. */
  replies?: number;
  assigned: number;
  rated: number;
}

/** A row of numbers that can be added: several people may have written in one chat. */
function SumRow({ name, replies, assigned, rated }: SumRowProps) {
  const number = (value: number | undefined) =>
    value === undefined ? '–' : new Intl.NumberFormat(locale.value).format(value);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>–</td>
      <td>{number(replies)}</td>
      <td>{number(assigned)}</td>
      <td>–</td>
      <td>{number(rated)}</td>
      <td>–</td>
    </tr>
  );
}
