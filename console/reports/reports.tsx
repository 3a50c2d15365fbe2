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
import { isWhole, lastDays, month, ownTimeZone, type Range, readAgents, reportPath } from './range.js';
import { Ratings } from './ratings.js';

const PERIODS = {
  week: () => lastDays(7),
  month: () => lastDays(30),
  thisMonth: () => month(0),
  lastMonth: () => month(-1),
};

/** What the agents did on some days, what visitors said of it, and the chats as a file. */
export function Reports() {
  const text = adminStrings.value;
  const [range, setRange] = useState<Range>({ ...lastDays(7), groupId: '', timeZone: '' });
  const inputs = Object.values(range);
  const report = useReading(() => (isWhole(range) ? readAgents(range) : Promise.resolve(undefined)), inputs);
  return (
    <>
      <PageHead title={strings.value.reports}>
        <a
          class="button"
          href={isWhole(range) ? reportPath('chats/export', range, { bom: 'true' }) : undefined}
          aria-disabled={isWhole(range) ? undefined : true}
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
        <RangeFields range={range} onChange={setRange} />
        {isWhole(range) ? (
          <>
            <p class="hint" role="status">
              {report.value && fill(text.reportDays, { timeZone: report.value.timeZone })}
            </p>
            <Loaded of={report}>{(value) => value && <ByAgent agents={value.agents} />}</Loaded>
            <Ratings range={range} agents={report.value?.agents ?? []} />
          </>
        ) : (
          <p class="hint" role="alert">
            {text.rangeFault}
          </p>
        )}
      </div>
    </>
  );
}

function RangeFields({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const text = adminStrings.value;
  const set = (change: Partial<Range>) => onChange({ ...range, ...change });
  const names = Object.keys(PERIODS) as (keyof typeof PERIODS)[];
  const period = names.find((name) => {
    const { from, to } = PERIODS[name]();
    return from === range.from && to === range.to;
  });
  const choices = names.map((name) => [name as string, text.periods[name]] as const);
  return (
    <div class="filters">
      <Select
        label={text.range}
        value={period ?? ''}
        choices={period ? choices : [['', text.periods.other] as const, ...choices]}
        onChange={(name) => name !== '' && set(PERIODS[name as keyof typeof PERIODS]())}
      />
      <DayField label={text.fromDay} value={range.from} onChange={(from) => set({ from })} />
      <DayField label={text.toDay} value={range.to} onChange={(to) => set({ to })} />
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
        onChange={(timeZone) => set({ timeZone })}
      />
    </div>
  );
}
