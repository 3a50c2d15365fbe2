import { adminStrings } from '../../locales/admin-strings.js';
import type { Agent } from '../api.js';
import { DayField, Select } from '../parts/filter.js';

/** Filters of the audit log; '' matches everything. Days are in the browser's time zone. */
export interface Filter {
  action: string;
  actor: string;
  from: string;
  to: string;
}

export const NO_FILTER: Filter = { action: '', actor: '', from: '', to: '' };

/** The filters as query parameters. */
export function queryOf({ action, actor, from, to }: Filter): Record<string, string> {
  const query = { action, actor, from: beginOf(from), to: beginOf(to, 1) };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

/** The start of a day, or of the day `later` days after it. */
function beginOf(day: string, later = 0): string {
  const [year, month, date] = day.split('-').map(Number);
  const begin = day === '' ? null : new Date(year!, month! - 1, date! + later);
  return begin && begin.getTime() > 0 ? begin.toISOString() : '';
}

interface AuditFiltersProps {
  filter: Filter;
  agents: readonly Agent[];
  onChange: (filter: Filter) => void;
}

export function AuditFilters({ filter, agents, onChange }: AuditFiltersProps) {
  const text = adminStrings.value;
  const actions = Object.entries(text.action);
  const actors = [
    ['ADMIN_TOKEN', text.adminToken],
    ['SYSTEM', text.actor.SYSTEM],
    ...agents.map(({ id, name }) => [id, name] as const),
  ] as const;
  const set = (name: keyof Filter) => (value: string) => onChange({ ...filter, [name]: value });
  return (
    <div class="filters">
      <Select label={text.what} value={filter.action} choices={[['', text.all], ...actions]} onChange={set('action')} />
      <Select label={text.who} value={filter.actor} choices={[['', text.all], ...actors]} onChange={set('actor')} />
      <DayField label={text.fromDay} value={filter.from} onChange={set('from')} />
      <DayField label={text.toDay} value={filter.to} onChange={set('to')} />
    </div>
  );
}
