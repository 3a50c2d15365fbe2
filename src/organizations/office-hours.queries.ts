import type { EntityManager } from 'typeorm';
import { findOpening, type OfficeHours, type Opening } from './office-hours.js';

// The times are computed again when they are over, and every day, because the rules of time zones change. Hours that are never
// open closed in the past.
const STORE = (which: string) => `
  UPDATE groups SET opens_at = $2::timestamptz, closes_at = $3::timestamptz, reopens_at = $4::timestamptz,
    hours_due_at = LEAST(NULLIF(GREATEST($3, statement_timestamp()), statement_timestamp()), statement_timestamp() + $5::interval)
  WHERE organization_id = $1 AND ${which}`;
const STORE_OWN = STORE('id = $6');
const STORE_INHERITED = STORE('office_hours IS NULL AND $6::text IS NULL');

// Routing compares the times with the database's clock, so the next ones are those after its time.
const READ_CLOCK = 'SELECT clock_timestamp() AS now';

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
  const opening = hours && (findOpening(hours, await readClock(tx)) ?? NEVER);
  const times = [opening?.opensAt ?? null, opening?.closesAt ?? null, opening?.reopensAt ?? null];
  const values = [organizationId, ...times, hours && '1 day', groupId];
  await tx.query(groupId === null ? STORE_INHERITED : STORE_OWN, values);
}

async function readClock(tx: EntityManager): Promise<Date> {
  const [clock]: [{ now: Date }] = await tx.query(READ_CLOCK);
  return clock.now;
}

/** SQL: whether a group is open. @param group its alias */
export const sqlIsOpen = (group: string) => `
  ((${group}.opens_at IS NULL OR ${group}.opens_at <= clock_timestamp())
    AND (${group}.closes_at IS NULL OR ${group}.closes_at > clock_timestamp()))`;

/** SQL: when a group opens; null while it's open, and if it never opens. @param group its alias */
export const sqlNextOpening = (group: string) => `
  CASE WHEN ${group}.opens_at > clock_timestamp() THEN ${group}.opens_at
    WHEN ${group}.closes_at <= clock_timestamp() THEN ${group}.reopens_at END`;
