import { fill } from '../../headless/text.js';
import { PageSection } from '../admin/parts/page-section.js';
import { Loaded } from '../admin/parts/loaded.js';
import type { Reading } from '../admin/parts/reading.js';
import { adminStrings } from '../locales/admin-strings.js';
import { locale, strings } from '../locales/strings.js';
import { groups } from '../state/inbox/counts.js';
import { scoreWords } from './format.js';
import { readReport, scoreOf, sumOf } from './numbers.js';
import type { Report, ReportDay } from '../api/types.js';
import { dayWords, METRICS, valueWords } from './plot.js';

/** Maximum groups in the table, and concurrent requests. */
const MAX_GROUPS = 50;
const CONCURRENCY = 4;

/** The plots as a table. */
export function ByDay({ days }: { days: readonly ReportDay[] }) {
  const text = adminStrings.value;
  return (
    <details class="by-day">
      <summary>{text.byDay}</summary>
      <div class="table-wrap" tabIndex={0} role="group" aria-label={text.byDay}>
        <table class="table numbers">
          <thead>
            <tr>
              <th scope="col">{text.day}</th>
              {METRICS.map((metric) => (
                <th scope="col" key={metric}>
                  {text.plots[metric]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">
                  <time dateTime={day.day}>{dayWords(day.day)}</time>
                </th>
                {METRICS.map((metric) => (
                  <td key={metric}>{valueWords(metric, day[metric])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface GroupReport extends Report {
  id: string;
  name: string;
}

/** Reads the report of each group, a few at a time. @throws RequestError */
export async function readReports(count: number): Promise<GroupReport[]> {
  const waiting = groups.value.slice(0, MAX_GROUPS);
  const reports: GroupReport[] = [];
  while (waiting.length > 0) {
    const read = waiting
      .splice(0, CONCURRENCY)
      .map(async ({ id, name }) => ({ id, name, ...(await readReport(count, id)) }));
    reports.push(...(await Promise.all(read)));
  }
  return reports;
}

export function ByGroup({ reports }: { reports: Reading<GroupReport[]> }) {
  const text = adminStrings.value;
  return (
    <PageSection title={text.byGroup}>
      <Loaded of={{ ...reports, failure: undefined }}>{(read) => <GroupTable reports={read} />}</Loaded>
    </PageSection>
  );
}

function GroupTable({ reports }: { reports: readonly GroupReport[] }) {
  const text = adminStrings.value;
  const number = (value: number) => new Intl.NumberFormat(locale.value).format(value);
  const share = (days: readonly ReportDay[]) => {
    const all = sumOf(days, 'handoffs');
    if (all === 0) return '–';
    return new Intl.NumberFormat(locale.value, { style: 'percent' }).format(sumOf(days, 'assigned') / all);
  };
  return (
    <>
      <p class="hint">{fill(text.byGroupHint, { timeZone: reports[0]?.timeZone ?? '' })}</p>
      <div class="table-wrap" tabIndex={0} role="group" aria-label={text.byGroup}>
        <table class="table numbers">
          <thead>
            <tr>
              <th scope="col">{strings.value.group}</th>
              <th scope="col">{text.plots.created}</th>
              <th scope="col">{text.plots.handoffs}</th>
              <th scope="col">{text.assignedShare}</th>
              <th scope="col">{text.plots.unanswered}</th>
              <th scope="col">{text.rated}</th>
              <th scope="col">{text.averageScore}</th>
            </tr>
          </thead>
          <tbody>
            {reports.map(({ id, name, days }) => (
              <tr key={id}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td>{number(sumOf(days, 'created'))}</td>
                <td>{number(sumOf(days, 'handoffs'))}</td>
                <td>{share(days)}</td>
                <td>{number(sumOf(days, 'unanswered'))}</td>
                <td>{number(sumOf(days, 'rated'))}</td>
                <td>{scoreWords(scoreOf(days))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
