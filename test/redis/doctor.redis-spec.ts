import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cli } from '../support/cli.js';
import type { Parley } from '../support/parley.js';
import { eventually } from '../support/eventually.js';
import { RedisServer } from '../support/redis.js';
import { startNodes } from './support/nodes.js';

describe('parley doctor with Redis', () => {
  let redis: RedisServer;
  let parley: Parley;

  beforeAll(async () => {
    redis = await RedisServer.start();
    [parley] = (await startNodes(redis, { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }, undefined, 1)) as [Parley];
  });
  afterAll(async () => {
    await parley.stop();
    await redis.kill();
  });

  const examine = () => Cli.of(parley, { DATABASE_URL: parley.databaseUrl, REDIS_URL: redis.url }).run('doctor');

  it('doctor prints the version of Redis, and its response time', async () => {
    const { code, stdout } = await examine();
    expect(stdout).toMatch(/^ok +Redis +version \d+\.\S+ at 127\.0\.0\.1:\d+; what is published arrives in \d+ ms$/m);
    // Tests turn off what protects a database from crashes.
    expect(stdout).toContain('It works, as far as these 17 checks can tell; see also the warning about properties.');
    expect(code).toBe(0);
  });

  it("doctor doesn't wait forever for a Redis that doesn't answer", async () => {
    redis.freeze();
    const { code, stdout } = await examine();
    redis.thaw();
    expect(stdout).toMatch(
      /^warning +Redis +(?:Redis at \S+: no answer within 4 s|the service has been without Redis since \S+: (?:Redis is slow|Socket timeout).*)$/m,
    );
    expect(code).toBe(0);
  });

  it('doctor asks the service about its Redis, even without REDIS_URL in its own shell', async () => {
    const ask = () => Cli.of(parley, { DATABASE_URL: parley.databaseUrl }).run('doctor');
    await eventually(ask, ({ stdout }) =>
      /^ok +Redis +the service is connected, and a ping takes \d+ ms$/m.test(stdout),
    );
    await redis.run(['CONFIG', 'SET', 'requirepass', 'another']);
    await redis.disconnectAll('another');
    const { code, stdout } = await eventually(ask, ({ stdout: said }) => /^warning +Redis /m.test(said));
    expect(stdout).toMatch(/^warning +Redis +the service has been without Redis since \S+: NOAUTH/m);
    expect(code).toBe(0);
  });
});
