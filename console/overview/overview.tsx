import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import type { Report } from '../api/types.js';
import { adminStrings } from '../locales/admin-strings.js';
import { plural, strings } from '../locales/strings.js';
import { Failure, Loaded } from '../admin/parts/loaded.js';
import { Select } from '../admin/parts/filter.js';
import { useEvery, useReading } from '../admin/parts/reading.js';
import { groups, readGroups } from '../state/inbox/counts.js';
import { isSure } from '../state/live.js';
import { isAdmin } from '../state/session.js';
import { HealthList } from '../ui/health-line.js';
import { readPeople } from '../state/people.js';
import { PageHead } from '../ui/parts/page-head.js';
import { ByDay, ByGroup, readReports } from './tables.js';
import { scoreWords } from './format.js';
import { readLongestWait, readReport, scoreOf, sumOf } from './numbers.js';
import { METRICS, Plot } from './plot.js';
import { Now } from './now.js';

/** Refresh intervals while the page is visible. */
const NOW_EVERY_MS = 5_000;

const REPORT_EVERY_MS = 60_000;

const RANGES = ['7', '30'] as const;

/** The current state, and the last days. */
export function Overview() {
  const text = adminStrings.value;
  const [groupId, setGroup] = useState('');
  const [range, setRange] = useState<Range>('7');
  const { report, longest, today, byGroup, failed, again } = useReports(groupId, range);
  return (
    <>
      <PageHead title={strings.value.overview}>
        <Select
          label={strings.value.group}
          value={groupId}
          choices={[['', text.allGroups] as const, ...groups.value.map(({ id, name }) => [id, name] as const)]}
          onChange={setGroup}
        />
      </PageHead>
      <div class="page-body overview">
        {/* One error for all: they fail together. */}
        {failed && <Failure error={failed.failure} again={again} isLine />}
        {isAdmin() && <HealthList />}
        <Now groupId={groupId} longest={longest.value} today={today.value} />
        <section aria-labelledby="days">
          <header class="section-head">
            <h2 id="days">{plural(text.lastDays, Number(range))}</h2>
            <RangeSwitch range={range} onChange={setRange} />
          </header>
          <Loaded of={{ ...report, failure: undefined }}>{(value) => <Days report={value} />}</Loaded>
        </section>
        {byGroup && <ByGroup reports={byGroup} />}
      </div>
    </>
  );
}

type Range = (typeof RANGES)[number];

function RangeSwitch({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const text = adminStrings.value;
  return (
    <div class="switch" role="group" aria-label={text.range}>
      {RANGES.map((value) => (
        <button
          key={value}
          type="button"
          class="button small"
          aria-pressed={value === range}
          onClick={() => onChange(value)}
        >
          {plural(text.dayCount, Number(value))}
        </button>
      ))}
    </div>
  );
}

/** Everything that the page shows. It is refreshed on timers, and after a reconnect. */
function useReports(groupId: string, range: Range) {
  const report = useReading(() => readReport(Number(range), groupId), [range, groupId]);
  const longest = useReading(() => readLongestWait(groupId), [groupId]);
  const today = useReading(() => readReport(1, groupId), [groupId]);
  const hasGroups = groupId === '' && groups.value.length > 1;
  const byGroup = useReading(() => (hasGroups ? readReports(Number(range)) : Promise.resolve([])), [range, hasGroups]);
  const readings = [report, longest, today, byGroup];
  const again = () => readings.forEach((one) => one.again());
  useEvery(NOW_EVERY_MS, () => {
    longest.again();
    today.again();
    void Promise.allSettled([readGroups(), readPeople()]);
  }, [groupId]);
  useEvery(REPORT_EVERY_MS, () => {
    report.again();
    byGroup.again();
  }, [range, groupId, hasGroups]);
  // Data from a time without a connection may be outdated, or missing.
  const isKnown = isSure.value;
  const wasKnown = useRef(isKnown);
  useEffect(() => {
    if (isKnown && !wasKnown.current) again();
    wasKnown.current = isKnown;
  }, [isKnown]);
  const failed = readings.find(({ failure }) => failure);
  return { report, longest, today, byGroup: hasGroups ? byGroup : undefined, failed, again };
}

function Days({ report }: { report: Report }) {
  const rated = sumOf(report.days, 'rated');
  const score = scoreWords(scoreOf(report.days));
  return (
    <>
      {rated > 0 && <p class="plots-lead">{fill(plural(adminStrings.value.ratedDays, rated), { score })}</p>}
      <div class="plots">
        {METRICS.map((metric) => (
          <Plot key={metric} metric={metric} days={report.days} />
        ))}
      </div>
      <ByDay days={report.days} />
    </>
  );
}
