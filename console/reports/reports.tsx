import { useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { DayField, Select } from '../admin/parts/filter.js';
import { Loaded } from '../admin/parts/loaded.js';
import { useReading } from '../admin/parts/reading.js';
import { basePath } from '../lib/service.js';
import { adminStrings } from '../locales/admin-strings.js';
import { strings } from '../locales/strings.js';
import { groups } from '../state/inbox/counts.js';
import { Icon } from '../ui/parts/icon.js';
import { PageHead } from '../ui/parts/page-head.js';
import { ByAgent } from './by-agent.js';
import { lastDays, month, ownTimeZone, type Range, rangeFault, readAgents, readTimeZone, reportPath } from './range.js';
import { Ratings } from './ratings.js';

const PERIODS = {
  week: (timeZone: string) => lastDays(7, timeZone),
  month: (timeZone: string) => lastDays(30, timeZone),
  thisMonth: (timeZone: string) => month(0, timeZone),
  lastMonth: (timeZone: string) => month(-1, timeZone),
};
type Period = keyof typeof PERIODS;

/** What the agents did on some days, what visitors said of it, and the chats as a file. */
export function Reports() {
  const zone = useReading(readTimeZone);
  if (zone.value) return <ReportsIn organizationZone={zone.value} />;
  return (
    <>
      <PageHead title={strings.value.reports} />
      <div class="page-body overview reports">
        <Loaded of={zone}>{() => null}</Loaded>
      </div>
    </>
  );
}

/** @param organizationZone the organization's time zone: its calendar has the days, unless another one is chosen */
function ReportsIn({ organizationZone }: { organizationZone: string }) {
  const text = adminStrings.value;
  const [range, setRange] = useState<Range>({ ...lastDays(7, organizationZone), groupId: '', timeZone: '' });
  const fault = rangeFault(range);
  const inputs = Object.values(range);
  const report = useReading(() => (fault ? Promise.resolve(undefined) : readAgents(range)), inputs);
  return (
    <>
      <PageHead title={strings.value.reports}>
        <a
          class="button"
          href={fault ? undefined : reportPath('chats/export', range, { bom: 'true' })}
          aria-disabled={fault ? true : undefined}
          download
        >
          <Icon name="download" />
          {text.exportChats}
        </a>
      </PageHead>
      <div class="page-body overview reports">
        <p class="lead">
          {text.reportsLead}{' '}
          <a href={`${basePath}/docs/console/reports`} target="_blank" rel="noreferrer">
            {text.reportsDocs}
          </a>
        </p>
        <RangeFields range={range} organizationZone={organizationZone} onChange={setRange} />
        {fault ? (
          <p class="hint" role="alert">
            {text[fault]}
          </p>
        ) : (
          <>
            <p class="hint" role="status">
              {report.value && fill(text.reportDays, { timeZone: report.value.timeZone })}
            </p>
            <Loaded of={report}>{(value) => value && <ByAgent report={value} />}</Loaded>
            <Ratings range={range} agents={report.value?.agents ?? []} />
          </>
        )}
      </div>
    </>
  );
}

interface RangeFieldsProps {
  range: Range;
  organizationZone: string;
  onChange: (range: Range) => void;
}

function RangeFields({ range, organizationZone, onChange }: RangeFieldsProps) {
  const text = adminStrings.value;
  const set = (change: Partial<Range>) => onChange({ ...range, ...change });
  const zone = range.timeZone || organizationZone;
  const names = Object.keys(PERIODS) as Period[];
  const period = names.find((name) => {
    const { from, to } = PERIODS[name](zone);
    return from === range.from && to === range.to;
  });
  // The same period has other days where it's another day now.
  const setZone = (timeZone: string) => set({ timeZone, ...(period && PERIODS[period](timeZone || organizationZone)) });
  const choices = names.map((name) => [name as string, text.periods[name]] as const);
  return (
    <div class="filters">
      <Select
        label={text.range}
        value={period ?? ''}
        choices={period ? choices : [['', text.periods.other] as const, ...choices]}
        onChange={(name) => name !== '' && set(PERIODS[name as Period](zone))}
      />
      <DayField label={text.fromDay} value={range.from} max={range.to} onChange={(from) => set({ from })} />
      <DayField label={text.toDay} value={range.to} min={range.from} onChange={(to) => set({ to })} />
      <Select
        label={strings.value.group}
        value={range.groupId}
        choices={[['', text.allGroups] as const, ...groups.value.map(({ id, name }) => [id, name] as const)]}
        onChange={(groupId) => set({ groupId })}
      />
      <Select
        label={text.timeZone}
        value={range.timeZone}
        choices={[
          ['', text.ofOrganization],
          [ownTimeZone(), fill(text.ofBrowser, { timeZone: ownTimeZone() })],
        ]}
        onChange={setZone}
      />
    </div>
  );
}
