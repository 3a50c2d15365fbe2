import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { duration } from '../lib/times.js';
import { adminStrings } from '../locales/admin-strings.js';
import { plural, strings } from '../locales/strings.js';
import { Select, Shown } from '../admin/kit.js';
import { useReading } from '../admin/reading.js';
import { now } from '../state/clock.js';
import { groupOf, groups, readGroups } from '../state/counts.js';
import { people, readPeople } from '../state/people.js';
import { PageHead } from '../ui/page-head.js';
import { ByDay, ByGroup } from './tables.js';
import { scoreWords } from './format.js';
import { readLongestWait, readReport, type Report, scoreOf, sumOf } from './numbers.js';
import { METRICS, Plot } from './plot.js';

/** What is read again while the page is looked at, in milliseconds: what is now, and what was. */
const NOW_EVERY = 5_000;
const REPORT_EVERY = 60_000;
const RANGES = ['7', '30'] as const;

/** How it stands now, and how the last days were. */
export function Overview() {
  const text = adminStrings.value;
  const [groupId, setGroup] = useState('');
  const [range, setRange] = useState<(typeof RANGES)[number]>('7');
  const report = useReading(() => readReport(Number(range), groupId), [range, groupId]);
  useEvery(REPORT_EVERY, report.again, [range, groupId]);
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
        <Now key={groupId} groupId={groupId} />
        <section aria-labelledby="days">
          <header class="part-head">
            <h2 id="days">{plural(text.lastDays, Number(range))}</h2>
            <div class="switch" role="group" aria-label={text.range}>
              {RANGES.map((value) => (
                <button
                  key={value}
                  type="button"
                  class="button small"
                  aria-pressed={value === range}
                  onClick={() => setRange(value)}
                >
                  {plural(text.dayCount, Number(value))}
                </button>
              ))}
            </div>
          </header>
          <Shown of={report}>{(value) => <Days report={value} />}</Shown>
        </section>
        {groupId === '' && groups.value.length > 1 && <ByGroup count={Number(range)} />}
      </div>
    </>
  );
}

function Days({ report }: { report: Report }) {
  const rated = sumOf(report.days, 'rated');
  const score = scoreWords(scoreOf(report.days));
  return (
    <>
      {rated > 0 && <p>{fill(plural(adminStrings.value.ratedDays, rated), { score })}</p>}
      <div class="plots">
        {METRICS.map((metric) => (
          <Plot key={metric} metric={metric} days={report.days} />
        ))}
      </div>
      <ByDay days={report.days} />
    </>
  );
}

/** How many wait, for how long, who is there, and what today was like. */
function Now({ groupId }: { groupId: string }) {
  const text = adminStrings.value;
  const longest = useReading(() => readLongestWait(groupId), [groupId]);
  const today = useReading(() => readReport(1, groupId), [groupId]);
  useEvery(NOW_EVERY, () => {
    longest.again();
    today.again();
    void Promise.allSettled([readGroups(), readPeople()]);
  }, [groupId]);
  const shown = groups.value.filter(({ id }) => groupId === '' || id === groupId);
  const waiting = shown.reduce((sum, { waitingChats }) => sum + waitingChats, 0);
  const here = people.value.filter(({ groupIds }) => groupId === '' || groupIds.includes(groupId));
  const online = here.filter(({ presence }) => presence === 'ONLINE').length;
  const waited = longest.value ? (now.value - Date.parse(longest.value)) / 1000 : 0;
  const most = groupId === '' ? 0 : (groupOf(groupId)?.maxWaitSeconds ?? 0);
  const day = today.value?.days.at(-1);
  return (
    <section aria-labelledby="now">
      <header class="part-head">
        <h2 id="now">{text.now}</h2>
      </header>
      <dl class="tiles">
        <Tile name={text.waitingNow} value={waiting} isWarning={waiting > 0 && online === 0} />
        <Tile
          name={text.longestWait}
          value={longest.value === undefined ? '–' : longest.value ? duration(waited) : text.none}
          more={most > 0 && waited > most ? text.tooLong : undefined}
          isWarning={most > 0 && waited > most}
        />
        <Tile name={text.onlineNow} value={online} more={plural(text.onlineOf, here.length)} />
        <Tile name={text.answeredToday} value={day?.assigned ?? '–'} />
        <Tile name={text.unansweredToday} value={day?.unanswered ?? '–'} isWarning={(day?.unanswered ?? 0) > 0} />
      </dl>
      {today.failure ? <Shown of={{ ...today, value: undefined }}>{() => null}</Shown> : null}
    </section>
  );
}

interface TileProps {
  name: string;
  value: string | number;
  more?: string;
  isWarning?: boolean;
}

function Tile({ name, value, more, isWarning = false }: TileProps) {
  return (
    <div class={`tile ${isWarning ? 'warns' : ''}`}>
      <dt>{name}</dt>
      <dd>
        <b>{typeof value === 'number' ? fill('{value}', { value }) : value}</b>
        {more && <span class="hint small">{more}</span>}
      </dd>
    </div>
  );
}

/** Does something every so many milliseconds while the page is looked at. */
function useEvery(interval: number, work: () => void, inputs: readonly unknown[]): void {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && work(), interval);
    return () => clearInterval(timer);
  }, inputs);
}
