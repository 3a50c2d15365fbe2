import { Parley } from '../../support/parley.js';
import type { RedisServer } from '../../support/redis.js';

/** Several services on one database and one Redis; the first owns the database. */
export async function startNodes(
  { url }: RedisServer,
  environment: NodeJS.ProcessEnv = {},
  databaseUrl?: string,
  count = 3,
): Promise<Parley[]> {
  const nodes: Parley[] = [];
  for (let index = 0; index < count; index++)
    nodes.push(await Parley.start({ REDIS_URL: url, ...environment }, databaseUrl ?? nodes[0]?.databaseUrl));
  return nodes;
}
