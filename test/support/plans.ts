import pg from 'pg';
import { PLANNING } from '../../src/platform/database/data-source.js';

interface Asked {
  text: string;
  values: unknown[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** Finding a caller's token or session, and the timed work for the agents of all organizations. */
const FOREIGN = /access_tokens\b.*ANY|agent_sessions\b.*ANY|^(?!.*organization_id = \$1).*\bagents a\b/s;

/** Records the statements of this process's service, and runs them again to count the rows that each table returns. */
export class PlanReader {
  private constructor(
    private readonly client: pg.Client,
    private readonly original = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown,
  ) {}

  static async connect(connectionString: string): Promise<PlanReader> {
    const client = new pg.Client({ connectionString, options: PLANNING });
    await client.connect();
    return new PlanReader(client);
  }

  /** Rows that the service reads of each table during `work`. */
  async rowsReadBy(work: () => PromiseLike<unknown>): Promise<Record<string, number>> {
    const read: Record<string, number> = {};
    for (const asked of await this.hear(work)) {
      for (const [table, rows] of await this.explain(asked)) read[table] = (read[table] ?? 0) + rows;
    }
    return read;
  }

  close(): Promise<void> {
    return this.client.end();
  }

  private async hear(work: () => PromiseLike<unknown>): Promise<Asked[]> {
    const heard: Asked[] = [];
    const { original } = this;
    const hear = function (this: pg.Client, ...args: unknown[]): unknown {
      const { text, values } = (typeof args[0] === 'string' ? { text: args[0], values: args[1] } : args[0]) as Asked;
      const { application_name: name } = (this as unknown as { connectionParameters: Record<string, string> })
        .connectionParameters;
      if (name === 'parley') heard.push({ text, values: Array.isArray(values) ? values : [] });
      return Reflect.apply(original, this, args);
    };
    Object.assign(pg.Client.prototype, { query: hear });
    try {
      await work();
    } finally {
      Object.assign(pg.Client.prototype, { query: original });
    }
    return heard.filter(({ text }) => /^\s*(?:SELECT|WITH|SET LOCAL enable_\w+)\b/i.test(text) && !FOREIGN.test(text));
  }

  // Like the service's own plan: generic, for any values.
  private async explain({ text, values }: Asked): Promise<[string, number][]> {
    if (text.startsWith('SET LOCAL')) {
      await this.client.query(text.replace('SET LOCAL', 'SET'));
      return [];
    }
    await this.client.query(`PREPARE asked AS ${text}`);
    const literals = values.map((value) => (value === null ? 'NULL' : pg.escapeLiteral(toText(value))));
    const execute = `EXECUTE asked${literals.length > 0 ? `(${literals.join(', ')})` : ''}`;
    const { rows } = await this.client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${execute}`,
    );
    await this.client.query('DEALLOCATE asked');
    return countReads(rows[0]!['QUERY PLAN'][0].Plan);
  }
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map((one) => JSON.stringify(toText(one))).join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

function countReads(node: PlanNode): [string, number][] {
  const below = (node.Plans ?? []).flatMap(countReads);
  const table = node['Relation Name'];
  if (table === undefined || !node['Node Type'].includes('Scan')) return below;
  const each =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return [[table, Math.round(each * node['Actual Loops'])], ...below];
}
