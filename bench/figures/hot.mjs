import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../setup/database.mjs';

const COUNTS = `
  SELECT n_tup_upd::float8 AS all, n_tup_hot_upd::float8 AS hot FROM pg_stat_user_tables WHERE relname = 'chats'`;
/** PostgreSQL reports a connection's statistics after it has been idle for this time, in milliseconds. */
const LATE = 1_500;

/** Counts updates of chats from now on. Returns a function that returns the share that touched no index (HOT). */
export async function hotUpdates(databaseUrl) {
  const [before] = await query(databaseUrl, COUNTS);
  return async () => {
    await sleep(LATE);
    const [after] = await query(databaseUrl, COUNTS);
    return (after.hot - before.hot) / (after.all - before.all);
  };
}
