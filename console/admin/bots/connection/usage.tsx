import { fill } from '../../../../headless/text.js';
import { adminStrings } from '../../../locales/admin-strings.js';
import { locale } from '../../../locales/strings.js';
import { dayWords } from '../../../overview/plot.js';
import { type Bot, type BotUsage, read } from '../../api.js';
import { Loaded } from '../../parts/loaded.js';
import { PageSection } from '../../parts/page-section.js';
import { useReading } from '../../parts/reading.js';

type Day = BotUsage['days'][number];

const DAYS = 30;
const DAY_MS = 86_400_000;
const COUNTS = ['turns', 'failed', 'handedOver', 'inputTokens', 'outputTokens'] as const;

/** The turns and tokens of a connected bot in the last 30 days, in UTC as `dailyTokens`. */
export function Usage({ bot }: { bot: Bot }) {
  const text = adminStrings.value.connection;
  const from = new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const usage = useReading(() => read<BotUsage>(`/bots/${bot.id}/usage?from=${from}`));
  return (
    <PageSection title={text.usage} hint={text.usageHint}>
      <Loaded of={usage}>
        {({ days }) => (days.length === 0 ? <p class="hint">{text.noTurns}</p> : <Days days={days} />)}
      </Loaded>
    </PageSection>
  );
}

function Days({ days }: { days: readonly Day[] }) {
  const text = adminStrings.value;
  const { counts, usageSum } = text.connection;
  const { format } = new Intl.NumberFormat(locale.value);
  const sums = COUNTS.map((count) => days.reduce((sum, day) => sum + day[count], 0));
  const [turns, , , tokensIn, tokensOut] = sums.map(format);
  return (
    <>
      <p>{fill(usageSum, { turns: turns!, in: tokensIn!, out: tokensOut! })}</p>
      <details class="by-day">
        <summary>{text.byDay}</summary>
        <div class="table-wrap" tabIndex={0} role="group" aria-label={text.byDay}>
          <table class="table numbers">
            <thead>
              <tr>
                <th scope="col">{text.day}</th>
                {COUNTS.map((count) => (
                  <th scope="col" key={count}>
                    {counts[count]}
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
                  {COUNTS.map((count) => (
                    <td key={count}>{format(day[count])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}
