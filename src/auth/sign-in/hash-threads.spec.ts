import { afterAll, describe, expect, it } from '@jest/globals';
import { scryptSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { HashThreads } from './hash-threads.js';

const JOB = { password: 'a', salt: Buffer.from('b'), length: 32, options: { N: 16, r: 8, p: 1, maxmem: 1024 * 1024 } };
const SCHED_IDLE = '5';

/** The `nice` value and scheduling policy of each thread of this process. */
function threads(): { nice: string; policy: string }[] {
  return readdirSync('/proc/self/task').map((thread) => {
    // The name in parentheses may have spaces.
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return { nice: fields[16]!, policy: fields[38]! };
  });
}

describe('HashThreads', () => {
  const hashing = new HashThreads();
  afterAll(() => hashing.onModuleDestroy());

  it('several threads compute scrypt in parallel', async () => {
    const { password, salt, length, options } = JOB;
    const expected = scryptSync(password, salt, length, options);
    const all = [hashing.scrypt(JOB, 'LOW'), hashing.scrypt(JOB, 'LOW'), hashing.scrypt(JOB, 'LEFT_OVER')];
    expect(await Promise.all(all)).toEqual([expected, expected, expected]);
  });

  if (platform() === 'linux') {
    it("a thread has a low priority, and LEFT_OVER uses the system's idle priority", async () => {
      const ofHashes = threads().filter(({ nice }) => nice !== '0');
      expect(ofHashes.map(({ nice, policy }) => `${nice} ${policy}`).toSorted()).toEqual([
        `15 ${SCHED_IDLE}`,
        '5 0',
        '5 0',
      ]);
    });
  }
});
