import { foldText } from '../../../src/platform/locale/fold.js';
import { Icon } from '../../ui/parts/icon.js';

/** The search field above a list. */
export function Filter({ value, onInput, label }: { value: string; onInput: (value: string) => void; label: string }) {
  return (
    <span class="filter">
      <Icon name="search" />
      <input
        type="search"
        value={value}
        placeholder={label}
        aria-label={label}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </span>
  );
}

/** Whether one of the texts contains what was typed. */
export function fits(typed: string, ...texts: (string | null)[]): boolean {
  const wanted = foldText(typed.trim());
  return texts.some((one) => one !== null && foldText(one).includes(wanted));
}

interface ChoiceFilterProps<T extends string> {
  label: string;
  value: T;
  choices: readonly (readonly [value: T, name: string])[];
  onChange: (value: T) => void;
}

export function Select<T extends string>({ label, value, choices, onChange }: ChoiceFilterProps<T>) {
  return (
    <label class="select">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {choices.map(([one, name]) => (
          <option key={one} value={one} selected={one === value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface DayFieldProps {
  label: string;
  value: string;
  /** The first and the last day that make sense. */
  min?: string;
  max?: string;
  onChange: (value: string) => void;
}

export function DayField({ label, value, min, max, onChange }: DayFieldProps) {
  return (
    <label class="select">
      <span>{label}</span>
      <input type="date" value={value} min={min} max={max} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  );
}
