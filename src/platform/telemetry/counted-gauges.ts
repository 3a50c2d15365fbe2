import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { singleFlight } from '../lib/single-flight.js';
import { TIME_LIMITS_MS } from '../lib/time-limits.js';
import type { Metrics } from './metrics.js';

/**
 * Reads the values of several gauges with one query per scrape. A failure is counted and logged once, and the gauges
 * are left out.
 * @param source what is counted, for `parley_scrape_errors_total`
 * @param text a query of one row
 * @returns the reader of a column
 */
export function countedGauges<Counts extends Record<string, number>>(
  pool: Pool,
  metrics: Metrics,
  source: string,
  text: string,
): (column: keyof Counts) => () => Promise<number | null> {
  const logger = new Logger('Metrics');
  const errors = metrics.scrapeErrors(source);
  const count = singleFlight(async () => {
    const query = { text, query_timeout: TIME_LIMITS_MS.scrape };
    return (await pool.query<Counts>(query as never)).rows[0] ?? null;
  });
  const tryCount = async () => {
    try {
      return await count();
    } catch (err) {
      errors.add();
      logger.warn({ err }, `${source} could not be counted`);
      return null;
    }
  };
  let current: Promise<Counts | null> | undefined;
  return (column) => async () => {
    current ??= tryCount().finally(() => (current = undefined));
    return (await current)?.[column] ?? null;
  };
}
