/** The transaction that a migration, or another node, waits for. */
export interface MigrationWait {
  /** 0 for a prepared transaction. */
  pid: number;
  application: string | null;
  role: string | null;
  /** The state in `pg_stat_activity`; null if the role of Parley may not see it. */
  state: string | null;
  /** How old its transaction is; null if the role of Parley may not see it. */
  seconds: number | null;
  /** The name of a prepared transaction. */
  prepared: string | null;
  /** The table that the migration needs; null if it isn't known. */
  table: string | null;
}

interface Current {
  name: string;
  startedAt: number;
  wait: MigrationWait | null;
}

/** What a process that migrates says: log lines for the operator, and one line for health checks. */
export class MigrationProgress {
  private total = 0;
  private done = 0;
  private isNew = false;
  private startedAt = 0;
  private changedAt = performance.now();
  private current: Current | null = null;
  private holder: MigrationWait | null = null;

  /**
   * @param log writes a line at `info`
   * @param onBusy called when the start has to wait, for another node that migrates or for migrations
   */
  constructor(
    private readonly log: (line: string) => void = () => undefined,
    private readonly onBusy: () => void = () => undefined,
  ) {}

  /** The line for health checks. It contains no names of roles or programs, because anyone may read it. */
  get summary(): string {
    const { total, done, current } = this;
    if (total === 0) return 'migrating: another node migrates the database';
    const counted = `migrating: ${done} of ${total} done`;
    if (current === null) return counted;
    const { wait, startedAt, name } = current;
    const waiting = wait ? `, waits for ${wait.pid === 0 ? 'a prepared transaction' : `pid ${wait.pid}`}` : '';
    return `${counted}, ${name} runs for ${durationOf(performance.now() - startedAt)}${waiting}`;
  }

  /** Milliseconds since a migration began for the first time, or since the last one ended. */
  get elapsed(): number {
    return performance.now() - this.changedAt;
  }

  /** What the current migration is, and what it waits or waited for last. */
  get blocked(): { name: string; wait: MigrationWait | null } | null {
    return this.current;
  }

  /** Another node migrates; called again every 10 s. */
  waitsForNode(holder: MigrationWait | null): void {
    if (this.holder === null) this.onBusy();
    this.holder = holder;
    this.log(
      `waits for another node that migrates the database: ${holder ? describeWait(holder) : 'it has just ended'}`,
    );
  }

  /**
   * The migrations that this process runs, in order.
   * @param isNew the database is empty: none of them takes long, so they get no line each
   */
  start(names: readonly string[], isNew: boolean): void {
    this.total = names.length;
    this.isNew = isNew;
    this.startedAt = this.changedAt = performance.now();
    if (names.length === 0) return;
    this.onBusy();
    const [first, last] = [names[0]!, names.at(-1)!];
    if (isNew) return this.log(`creating the tables in an empty database: ${count(names.length)}`);
    this.log(`migrating the database: ${count(names.length)}, ${first === last ? first : `from ${first} to ${last}`}`);
  }

  /** A migration begins, or begins again after it didn't get a lock. */
  begin(name: string): void {
    if (this.current?.name === name) return;
    this.end();
    this.changedAt = performance.now();
    this.current = { name, startedAt: this.changedAt, wait: null };
  }

  /** All migrations are done. */
  finish(): void {
    this.end();
    if (this.total > 0)
      this.log(`migrated the database: ${count(this.total)} in ${durationOf(performance.now() - this.startedAt)}`);
  }

  /** What the current migration waits for now. The last transaction is kept between two attempts. */
  waitsFor(wait: MigrationWait): void {
    if (this.current) this.current.wait = wait;
  }

  /** The current migration waits for nothing. */
  proceeds(): void {
    if (this.current) this.current.wait = null;
  }

  /** Logs what the current migration does; called every 10 s. */
  report(build: { table: string; percent: number | null } | null): void {
    if (this.current === null) return;
    const { name, startedAt, wait } = this.current;
    const building = build
      ? ` and builds an index of ${build.table}${build.percent === null ? '' : `, ${build.percent} %`}`
      : '';
    const doing = wait
      ? `waits for ${describeWait(wait)}`
      : `runs for ${durationOf(performance.now() - startedAt)}${building}`;
    this.log(`${name} ${doing}`);
  }

  private end(): void {
    if (this.current === null) return;
    this.done++;
    const { name, startedAt } = this.current;
    if (!this.isNew)
      this.log(`migration ${this.done} of ${this.total}, ${name}, took ${durationOf(performance.now() - startedAt)}`);
    this.current = null;
    this.changedAt = performance.now();
  }
}

/** "pid 3958 (psql, role nightly, idle in transaction, since 3 min), which uses chats". */
export function describeWait({ pid, application, role, state, seconds, prepared, table }: MigrationWait): string {
  const since = seconds === null ? null : `since ${durationOf(seconds * 1000)}`;
  const what = pid === 0 ? `the prepared transaction ${prepared ?? 'of another database'}` : `pid ${pid}`;
  const known = [application || null, role && `role ${role}`, state, since].filter(Boolean).join(', ');
  return `${what}${known && ` (${known})`}${table === null ? '' : `, which uses ${table}`}`;
}

/** What to do about a transaction that blocks a migration. */
export function remedyOfWait({ pid, prepared }: MigrationWait): string {
  if (pid !== 0) return `let it end, or end it (SELECT pg_terminate_backend(${pid}))`;
  return prepared === null ? 'commit or roll it back' : `COMMIT PREPARED or ROLLBACK PREPARED '${prepared}'`;
}

/** "0.4 s", "12 s", "3 min", "2 h 5 min". */
export function durationOf(milliseconds: number): string {
  const seconds = Math.max(milliseconds, 0) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function count(migrations: number): string {
  return migrations === 1 ? '1 migration' : `${migrations} migrations`;
}
