import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TESTS = fileURLToPath(new URL('../../ops/prometheus-alerts.test.yml', import.meta.url));

/** Needs promtool, which comes with Prometheus: apt-get install prometheus. */
it('each alert about a fault fires in time, and not for what passes by itself', () => {
  const { error, status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', TESTS], { encoding: 'utf8' });
  if (error) throw new Error('promtool is missing: apt-get install prometheus', { cause: error });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
});
