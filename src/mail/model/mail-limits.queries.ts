import type { EntityManager } from 'typeorm';

/** How often something may happen for a key: at most `count` times in `seconds`, and not twice in `pauseSeconds`. */
export interface MailLimitRule {
  count: number;
  seconds: number;
  pauseSeconds: number;
}

// One statement, so that nodes can't both take the last place. The row is of the installation, not of an organization.
const SPEND = `
  INSERT INTO mail_limits AS l (key, times, expires_at) VALUES ($1, ARRAY[$2::timestamptz(3)], $3)
  ON CONFLICT (key) DO UPDATE SET
    times = (l.times || excluded.times)[greatest(1, cardinality(l.times) + 2 - $4::integer):], expires_at = excluded.expires_at
  WHERE (cardinality(l.times) < $4::integer OR l.times[cardinality(l.times) + 1 - $4::integer] <= $5::timestamptz)
    AND l.times[cardinality(l.times)] <= $6::timestamptz
  RETURNING key`;

/** Counts once, in the transaction `tx`. Returns false if the limit is reached. */
export async function spendMailLimit(
  tx: EntityManager,
  key: string,
  { count, seconds, pauseSeconds }: MailLimitRule,
  now: Date,
): Promise<boolean> {
  const at = (offset: number) => new Date(now.getTime() + offset * 1000);
  const rows: unknown[] = await tx.query(SPEND, [key, now, at(seconds), count, at(-seconds), at(-pauseSeconds)]);
  return rows.length > 0;
}
