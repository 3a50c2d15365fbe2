import { fill } from '../../../../headless/text.js';
import { adminStrings } from '../../../locales/admin-strings.js';
import type { AdminGroup } from '../../api.js';
import type { StepDraft } from './script-draft.js';

/** What a choice may lead to: the value of an option, and its words. */
export type Targets = readonly (readonly [value: string, name: string])[];

const MAX_NAME = 40;

export function targetsOf(steps: readonly StepDraft[], groups: readonly AdminGroup[]): Targets {
  const text = adminStrings.value.script;
  return [
    ...steps.map(
      ({ id, text: said }, at) =>
        [`step:${id}`, `${fill(text.step, { number: at + 1 })}: ${said.slice(0, MAX_NAME)}`] as const,
    ),
    ['group:', text.handOver] as const,
    ...groups.map(({ id, name }) => [`group:${id}`, fill(text.handOverTo, { group: name })] as const),
    ['close', text.close] as const,
  ];
}

interface TargetSelectProps {
  targets: Targets;
  value: string;
  onChange: (value: string) => void;
  attributes: object;
}

export function TargetSelect({ targets, value, onChange, attributes }: TargetSelectProps) {
  return (
    <select {...attributes} required value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="" selected={value === ''}>
        {adminStrings.value.script.chooseTarget}
      </option>
      {targets.map(([target, name]) => (
        <option key={target} value={target} selected={target === value}>
          {name}
        </option>
      ))}
    </select>
  );
}
