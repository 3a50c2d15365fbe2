import { PageSection } from '../admin/parts/page-section.js';
import type { AgentNumbers } from '../api/types.js';
import { adminStrings } from '../locales/admin-strings.js';
import { locale } from '../locales/strings.js';
import { scoreWords, span } from '../overview/format.js';

/** What each agent did, by name. */
export function ByAgent({ agents }: { agents: readonly AgentNumbers[] }) {
  const text = adminStrings.value;
  const number = (value: number) => new Intl.NumberFormat(locale.value).format(value);
  // A disabled agent matters only for what they did.
  const shown = agents
    .filter(({ isEnabled, replies, assigned, rated }) => isEnabled || replies + assigned + rated > 0)
    .toSorted((a, b) => a.name.localeCompare(b.name, locale.value));
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
          </tbody>
        </table>
      </div>
    </PageSection>
  );
}
