import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What scrypt is computed of. */
export interface ScryptJob {
  password: string;
  salt: Buffer;
  /** Bytes of the hash. */
  length: number;
  options: { N: number; r: number; p: number; maxmem: number };
}

/** LOW gets a third of what other work gets, so that it ends in time on a machine that is busy; LEFT_OVER takes what nothing else needs. */
export type HashPriority = 'LOW' | 'LEFT_OVER';

// Text, because a test has no compiled file to run. Linux gives each thread a priority of its own: `nice` 5 has a third of the
// weight of a thread that stores messages, and with 15 a hash took up to 5 s where every processor was busy. With SCHED_IDLE, for
// which Node has no call, others are also started on its processor as on one that does nothing. Elsewhere it is as any thread.
const CODE = `
  const { execFileSync } = require('node:child_process');
  const { scryptSync } = require('node:crypto');
  const { readlinkSync } = require('node:fs');
  const { setPriority } = require('node:os');
  const { parentPort, workerData } = require('node:worker_threads');
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1);
    const isLeftOver = workerData.priority === 'LEFT_OVER';
    setPriority(Number(thread), isLeftOver ? 15 : 5);
    if (isLeftOver) execFileSync('chrt', ['-i', '-p', '0', thread], { stdio: 'ignore' });
  } catch {}
  parentPort.on('message', ({ password, salt, length, options }) =>
    parentPort.postMessage(scryptSync(password, salt, length, options)));`;

/**
 * Threads that compute scrypt beside everything else: a storm of log-ins takes the processor time that is left over, and none of
 * the threads that the process uses for files and names. A thread is started when none of its priority rests, and kept.
 */
@Injectable()
export class HashThreads implements OnModuleDestroy {
  private readonly all = new Set<Worker>();
  private readonly idle: Record<HashPriority, Worker[]> = { LOW: [], LEFT_OVER: [] };

  /** @throws Error when the thread died */
  async scrypt(job: ScryptJob, priority: HashPriority): Promise<Buffer> {
    const thread = this.idle[priority].pop() ?? this.start(priority);
    try {
      thread.postMessage(job);
      const [hash] = (await once(thread, 'message')) as [Uint8Array];
      this.idle[priority].push(thread);
      return Buffer.from(hash);
    } catch (error) {
      this.all.delete(thread);
      void thread.terminate();
      throw error;
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(Array.from(this.all, (thread) => thread.terminate()));
  }

  private start(priority: HashPriority): Worker {
    const thread = new Worker(CODE, { eval: true, workerData: { priority } });
    thread.unref();
    this.all.add(thread);
    return thread;
  }
}
