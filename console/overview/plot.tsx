import { useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { adminStrings } from '../locales/admin-strings.js';
import { locale, plural } from '../locales/strings.js';
import { span } from './format.js';
import type { ReportDay } from '../api/types.js';

/** The metrics, in the order of their plots. */
export const METRICS = ['created', 'handoffs', 'unanswered', 'medianWaitSeconds', 'medianFirstReplySeconds'] as const;
export type Metric = (typeof METRICS)[number];

const HEIGHT = 100;

/** Whether a metric is a time in seconds, and not a count. */
function isTime(metric: Metric): boolean {
  return metric === 'medianWaitSeconds' || metric === 'medianFirstReplySeconds';
}

/** A value in words: a count, a time, or a dash. */
export function valueWords(metric: Metric, value: number | null): string {
  if (value === null) return '–';
  return isTime(metric) ? span(value) : new Intl.NumberFormat(locale.value).format(value);
}

/** A day below a plot: Jul 14. */
export function dayWords(day: string): string {
  const options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' };
  return new Intl.DateTimeFormat(locale.value, options).format(new Date(`${day}T00:00:00Z`));
}

/** A column chart with one value per day. */
export function Plot({ metric, days }: { metric: Metric; days: readonly ReportDay[] }) {
  const text = adminStrings.value;
  const [pointed, point] = useState<ReportDay | null>(null);
  const values = days.map((day) => day[metric]);
  const top = niceTop(Math.max(...values.map((value) => value ?? 0)), isTime(metric));
  const isEmpty = values.every((value) => !value);
  const width = 100 / days.length;
  return (
    <figure class={`plot plot-${metric}`}>
      <figcaption>
        <b>{text.plots[metric]}</b>
        <span class="plot-value">
          {pointed ? `${dayWords(pointed.day)}: ${valueWords(metric, pointed[metric])}` : total(metric, days)}
        </span>
        <span class="hint small">{text.plotHint[metric]}</span>
      </figcaption>
      <div class="plot-frame">
        <span class="plot-top hint" aria-hidden="true">
          {isEmpty ? '' : valueWords(metric, top)}
        </span>
        <svg
          viewBox={`0 0 100 ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={describe(metric, days)}
          onMouseLeave={() => point(null)}
        >
          <line x1="0" x2="100" y1="0.5" y2="0.5" />
          <line x1="0" x2="100" y1={HEIGHT / 2} y2={HEIGHT / 2} />
          {days.map((day, index) => {
            const value = day[metric] ?? 0;
            // Values above 0 stay visible.
            const height = value === 0 ? 0 : Math.max(1.5, (value / top) * HEIGHT);
            return (
              <g key={day.day} onMouseEnter={() => point(day)}>
                <rect class="plot-ground" x={index * width} y={0} width={width} height={HEIGHT} />
                <rect
                  class="plot-column"
                  x={index * width + width * 0.15}
                  y={HEIGHT - height}
                  width={width * 0.7}
                  height={height}
                />
              </g>
            );
          })}
        </svg>
        <span class="plot-days hint" aria-hidden="true">
          <span>{days[0] && dayWords(days[0].day)}</span>
          <span>{days.at(-1) && dayWords(days.at(-1)!.day)}</span>
        </span>
      </div>
    </figure>
  );
}

/** The sum of a count, or the range of a median: medians can't be added. */
function total(metric: Metric, days: readonly ReportDay[]): string {
  const values = days.flatMap((day) => day[metric] ?? []);
  if (!isTime(metric)) {
    return valueWords(
      metric,
      values.reduce((sum, value) => sum + value, 0),
    );
  }
  if (values.length === 0) return adminStrings.value.noValue;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? span(least) : `${span(least)} – ${span(most)}`;
}

/** The plot in words, for screen readers. */
function describe(metric: Metric, days: readonly ReportDay[]): string {
  const text = adminStrings.value;
  const name = text.plots[metric];
  const best = days.reduce<ReportDay | undefined>(
    (most, day) => ((day[metric] ?? 0) > (most?.[metric] ?? 0) ? day : most),
    undefined,
  );
  if (!best) return fill(plural(text.plotNothing, days.length), { name });
  return fill(plural(text.plotWords, days.length), {
    name,
    sum: total(metric, days),
    most: valueWords(metric, best[metric]),
    day: dayWords(best.day),
  });
}

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
const TIMES = [10, 30, 60, 120, 180, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400];

/** The end of the scale: a round value, at least the highest. */
function niceTop(highest: number, hasTimes: boolean): number {
  if (hasTimes) return TIMES.find((time) => time >= highest) ?? Math.ceil(highest / 86_400) * 86_400;
  if (highest <= 4) return 4;
  if (highest <= 10) return 10;
  const size = 10 ** Math.floor(Math.log10(highest));
  return STEPS.map((step) => step * size).find((value) => value >= highest)!;
}
