import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { CLUSTER_PLANNING } from './data-source.js';
import { appendPoolOf, referencePoolOf } from './pool.js';

describe('the connections of a process on a Citus cluster', () => {
  it.each([2, 3, 4, 20, 1_000])('%i are divided, and each part has one', (size) => {
    const options = { max: size, isDistributed: true, options: CLUSTER_PLANNING };
    const pool = new pg.Pool(options);
    const pools = new Set([pool, appendPoolOf(pool), referencePoolOf(pool)]);
    const sizes = [...pools].map((each) => each.options.max);
    expect(sizes.reduce((sum, each) => sum + each)).toBe(size);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });

  it('reads of reference tables keep their plans', () => {
    const pool = new pg.Pool({
      max: 20,
      isDistributed: true,
      options: `${CLUSTER_PLANNING} -c lock_timeout=1s`,
    } as pg.PoolConfig);
    expect(referencePoolOf(pool).options.options).toMatch(/plan_cache_mode=force_generic_plan -c lock_timeout=1s$/);
    expect(pool.options.options).toContain('force_custom_plan');
  });

  it('one PostgreSQL has one pool', () => {
    const pool = new pg.Pool({ max: 20 });
    expect([appendPoolOf(pool), referencePoolOf(pool), pool.options.max]).toEqual([pool, pool, 20]);
  });
});
