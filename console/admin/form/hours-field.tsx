import { useRef } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { locale } from '../../locales/strings.js';
import { Icon } from '../../ui/parts/icon.js';
import { onceDrawn } from '../../ui/screen.js';
import type { OfficeHours } from '../api.js';
import { Choices } from './fields.js';
import type { FormState } from './use-form.js';
import {
  DAYS,
  dayName,
  type HoursRange,
  type HoursValues,
  isOver,
  MAX_EXCEPTIONS,
  MAX_RANGES,
  nextDate,
  nextRange,
  overlap,
  shownEnd,
  storedEnd,
} from './hours.js';

interface HoursFieldProps<V extends HoursValues> {
  form: FormState<V>;
  label: string;
  hint: string;
  /** The words of the choice without hours. */
  without: { name: string; hint: string };
}

/** Office hours: none, or a week with exceptions. */
export function HoursField<V extends HoursValues>({ form, label, hint, without }: HoursFieldProps<V>) {
  const text = adminStrings.value.hours;
  const { officeHours: hours } = form.values;
  const isFaulty = Boolean(form.faults.officeHours);
  const set = (change: Partial<OfficeHours>) => form.set('officeHours', { ...hours, ...change } as V['officeHours']);
  return (
    <>
      <Choices
        form={form}
        name="hasHours"
        label={label}
        hint={hint}
        choices={[
          { value: 'no', ...without },
          { value: 'yes', name: text.own, more: <Hours hours={hours} isFaulty={isFaulty} set={set} /> },
        ]}
      />
      {isFaulty && (
        <p class="fault small" role="alert">
          {text.rule}
        </p>
      )}
    </>
  );
}

interface HoursProps {
  hours: OfficeHours;
  /** Whether the service rejected them. Then the fields that can be wrong are marked. */
  isFaulty: boolean;
  set: (change: Partial<OfficeHours>) => void;
}

function Hours({ hours, isFaulty, set }: HoursProps) {
  const text = adminStrings.value.hours;
  return (
    <div class="hours">
      <label class="select">
        <span>{adminStrings.value.timeZone}</span>
        <select value={hours.timeZone} onChange={({ currentTarget: { value } }) => set({ timeZone: value })}>
          {[...new Set([hours.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => (
            <option key={zone} value={zone} selected={zone === hours.timeZone}>
              {zone}
            </option>
          ))}
        </select>
      </label>
      <ul class="hours-days">
        {DAYS.map((day) => (
          <li key={day}>
            <span class="hours-day">{dayName(day, locale.value)}</span>
            <Ranges
              of={dayName(day, locale.value)}
              ranges={hours.week[day]}
              isFaulty={isFaulty}
              onChange={(ranges) => set({ week: { ...hours.week, [day]: ranges } })}
            />
          </li>
        ))}
      </ul>
      <Exceptions hours={hours} isFaulty={isFaulty} set={set} />
      <p class="hint small">{text.overnight}</p>
    </div>
  );
}

function Exceptions({ hours: { exceptions, timeZone }, isFaulty, set }: HoursProps) {
  const text = adminStrings.value.hours;
  const isWrong = (date: string, at: number) =>
    date === '' || exceptions.some((other, index) => index < at && other.date === date);
  const change = (at: number, next: Partial<OfficeHours['exceptions'][number]>) =>
    set({ exceptions: exceptions.map((one, index) => (index === at ? { ...one, ...next } : one)) });
  const list = useRef<HTMLUListElement>(null);
  const add = () => {
    set({ exceptions: [...exceptions, { date: nextDate(exceptions), ranges: [] }] });
    onceDrawn(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus());
  };
  return (
    <>
      <p class="field-name">{text.exceptions}</p>
      <p class="hint small">{text.exceptionsHint}</p>
      <ul class="hours-days" ref={list}>
        {exceptions.map(({ date, ranges }, at) => (
          <li key={at}>
            <input
              type="date"
              required
              value={date}
              aria-label={text.date}
              aria-invalid={(isFaulty && isWrong(date, at)) || undefined}
              onChange={({ currentTarget: { value } }) => change(at, { date: value })}
            />
            <Ranges of={date} ranges={ranges} isFaulty={isFaulty} onChange={(next) => change(at, { ranges: next })} />
            <button
              type="button"
              class="button quiet round"
              aria-label={fill(text.removeDate, { date })}
              onClick={() => set({ exceptions: exceptions.filter((_, index) => index !== at) })}
            >
              <Icon name="trash" />
            </button>
            {isOver(date, timeZone) && <Warning>{text.isOver}</Warning>}
          </li>
        ))}
      </ul>
      {exceptions.length < MAX_EXCEPTIONS && (
        <button type="button" class="button small" onClick={add}>
          <Icon name="plus" />
          {text.addDate}
        </button>
      )}
    </>
  );
}

interface RangesProps {
  /** The day, for screen readers. */
  of: string;
  ranges: readonly HoursRange[];
  isFaulty: boolean;
  onChange: (ranges: HoursRange[]) => void;
}

function Ranges({ of, ranges, isFaulty, onChange }: RangesProps) {
  const text = adminStrings.value.hours;
  const change = (at: number, next: Partial<HoursRange>) =>
    onChange(ranges.map((one, index) => (index === at ? { ...one, ...next } : one)));
  const list = useRef<HTMLSpanElement>(null);
  const add = () => {
    onChange([...ranges, nextRange(ranges)]);
    onceDrawn(() => list.current?.querySelector<HTMLElement>('.hours-range:last-of-type input')?.focus());
  };
  return (
    <span class="hours-ranges" ref={list}>
      {ranges.length === 0 && <span class="hint">{text.closed}</span>}
      {ranges.map(({ from, to }, at) => (
        <span key={at} class="hours-range">
          <input
            type="time"
            required
            value={from}
            aria-label={fill(text.from, { day: of })}
            aria-invalid={(isFaulty && from === '') || undefined}
            onChange={({ currentTarget: { value } }) => change(at, { from: value })}
          />
          –
          <input
            type="time"
            required
            value={shownEnd(to)}
            aria-label={fill(text.to, { day: of })}
            aria-invalid={(isFaulty && to === '') || undefined}
            onChange={({ currentTarget: { value } }) => change(at, { to: storedEnd(value) })}
          />
          <button
            type="button"
            class="button quiet round"
            aria-label={fill(text.remove, { day: of })}
            onClick={() => onChange(ranges.filter((_, index) => index !== at))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {ranges.length < MAX_RANGES && (
        <button type="button" class="button quiet round" aria-label={fill(text.add, { day: of })} onClick={add}>
          <Icon name="plus" />
        </button>
      )}
      {overlap(ranges) && <Warning>{text.overlap}</Warning>}
    </span>
  );
}

/** What the service stores, but what is probably a mistake. */
function Warning({ children }: { children: string }) {
  return (
    <span class="warning small" role="status">
      <Icon name="alert" />
      {children}
    </span>
  );
}
