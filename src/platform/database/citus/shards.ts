import type { Pool } from 'pg';
import { batch } from '../../lib/batch.js';

const FIND_SHARDS = `
  SELECT get_shard_id_for_distribution_column('groups', o.id)::text AS shard
  FROM unnest($1::text[]) WITH ORDINALITY AS o (id, place) ORDER BY o.place`;

/** How many organizations' shards a node remembers, about 100 bytes each. */
const MAX_KNOWN = 100_000;
const MAX_TOGETHER = 1_000;

/** Finds the shards of organizations on a Citus cluster, so that a call can store rows of all that share one. */
class OrganizationShards {
  private readonly known = new Map<string, string>();

  constructor(private readonly pool: Pool) {}

  /** The shard of an organization. It's read once, because an organization keeps its shard until an administrator divides that. */
  async of(organizationId: string): Promise<string> {
    return this.known.get(organizationId) ?? this.find(organizationId);
  }

  /** Reads the shards again when they're needed next. Call it when the database has refused a statement for a shard, because that may be divided now. */
  forget(): void {
    this.known.clear();
  }

  private readonly find = batch<string, string>(async (ids) => {
    const query = { name: 'find-shards', text: FIND_SHARDS, values: [ids] };
    const { rows } = await this.pool.query<{ shard: string }>(query);
    if (this.known.size + ids.length > MAX_KNOWN) this.forget();
    for (const [place, { shard }] of rows.entries()) this.known.set(ids[place]!, shard);
    return rows.map(({ shard }) => shard);
  }, MAX_TOGETHER);
}

const known = new WeakMap<Pool, OrganizationShards>();

/** The shards of organizations, as statements of this pool have found them. */
export function shardsOf(pool: Pool): OrganizationShards {
  const shards = known.get(pool) ?? new OrganizationShards(pool);
  known.set(pool, shards);
  return shards;
}
