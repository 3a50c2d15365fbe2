import type { EntityManager } from 'typeorm';
import { type OfficeHours, WEEKDAYS } from './office-hours.js';

/** The current or next time that is open, and when the one after it begins. Null: not within the next days. */
export interface Opening {
  opensAt: Date;
  closesAt: Date;
  reopensAt: Date | null;
}

/** How many days ahead are searched. Exceptions are found whenever they are. */
const DAYS_AHEAD = 8;

const ISO_DAYS = WEEKDAYS.map((day) => `'${day}'`).join(', ');

// PostgreSQL knows the time zones. A range that crosses midnight began on the day before, and one that touches the next belongs to
// it.
const FIND = `
  WITH asked AS MATERIALIZED (
    SELECT $1::jsonb AS hours, $1::jsonb->>'timeZone' AS zone, COALESCE($2::timestamptz, clock_timestamp()) AS moment
  ), exceptions AS MATERIALIZED (
    SELECT (e->>'date')::date AS day, e->'ranges' AS ranges FROM asked, jsonb_array_elements(hours->'exceptions') e
  ), days AS (
    SELECT (moment AT TIME ZONE zone)::date + n AS day FROM asked, generate_series(-2, ${DAYS_AHEAD}) n
    UNION SELECT day FROM exceptions, asked WHERE day > (moment AT TIME ZONE zone)::date
  ), ranges AS (
    SELECT d.day + (r->>'from')::time AS begins,
      d.day + (r->>'to')::time + CASE WHEN r->>'to' <= r->>'from' THEN interval '1 day' ELSE interval '0' END AS ends
    FROM asked CROSS JOIN days d LEFT JOIN exceptions e ON e.day = d.day
    CROSS JOIN LATERAL jsonb_array_elements(
      COALESCE(e.ranges, hours->'week'->((ARRAY[${ISO_DAYS}])[extract(isodow FROM d.day)::integer]))) r
  ), spans AS (
    SELECT unnest(range_agg(tstzrange(begins AT TIME ZONE zone, ends AT TIME ZONE zone))) AS span FROM ranges, asked
    WHERE begins AT TIME ZONE zone < ends AT TIME ZONE zone
  )
  SELECT lower(span) AS "opensAt", upper(span) AS "closesAt" FROM spans, asked WHERE upper(span) > moment ORDER BY span LIMIT 2`;

/** When the hours are open, from now on; null: never. @param at instead of now */
export async function findOpening(
  manager: EntityManager,
  hours: OfficeHours,
  at: Date | null = null,
): Promise<Opening | null> {
  const [first, second]: Omit<Opening, 'reopensAt'>[] = await manager.query(FIND, [JSON.stringify(hours), at]);
  return first ? { ...first, reopensAt: second?.opensAt ?? null } : null;
}

// The times are computed again when they are over, and every day, because the rules of time zones change. Hours that are never
// open closed in the past.
const STORE = (which: string) => `
  UPDATE groups SET opens_at = $2::timestamptz, closes_at = $3::timestamptz, reopens_at = $4::timestamptz,
    hours_due_at = LEAST(NULLIF(GREATEST($3, statement_timestamp()), statement_timestamp()), statement_timestamp() + $5::interval)
  WHERE organization_id = $1 AND ${which}`;
const STORE_OWN = STORE('id = $6');
const STORE_INHERITED = STORE('office_hours IS NULL AND $6::text IS NULL');

const NEVER: Opening = { opensAt: new Date(0), closesAt: new Date(1), reopensAt: null };

/**
 * Stores the times of a group, or of all groups without hours of their own. The caller holds the organization's lock.
 * @param hours null: always open
 * @param groupId null: all groups without hours of their own
 */
export async function storeOpening(
  tx: EntityManager,
  organizationId: string,
  hours: OfficeHours | null,
  groupId: string | null,
): Promise<void> {
  const opening = hours && ((await findOpening(tx, hours)) ?? NEVER);
  const times = [opening?.opensAt ?? null, opening?.closesAt ?? null, opening?.reopensAt ?? null];
  const values = [organizationId, ...times, hours && '1 day', groupId];
  await tx.query(groupId === null ? STORE_INHERITED : STORE_OWN, values);
}

/** SQL: whether a group is open. @param group its alias */
export const sqlIsOpen = (group: string) => `
  ((${group}.opens_at IS NULL OR ${group}.opens_at <= clock_timestamp())
    AND (${group}.closes_at IS NULL OR ${group}.closes_at > clock_timestamp()))`;

/** SQL: when a group opens; null while it's open, and if it never opens. @param group its alias */
export const sqlNextOpening = (group: string) => `
  CASE WHEN ${group}.opens_at > clock_timestamp() THEN ${group}.opens_at
    WHEN ${group}.closes_at <= clock_timestamp() THEN ${group}.reopens_at END`;
