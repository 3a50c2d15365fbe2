import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The input of scrypt. */
export interface ScryptJob {
  password: string;
  salt: Buffer;
  /** Bytes of the hash. */
  length: number;
  options: { N: number; r: number; p: number; maxmem: number };
}

/** LOW gets a third of the CPU time that other work gets, so that it finishes even on a busy machine. LEFT_OVER gets idle time only. */
export type HashPriority = 'LOW' | 'LEFT_OVER';

// A string, because tests have no compiled file to run. On Linux, each thread has its own priority. `nice` 5 has a third of a
// normal thread's weight; with 15, a hash took up to 5 s while every processor was busy. SCHED_IDLE, which Node can't set itself,
// makes the scheduler treat the processor as idle. Other systems run these threads at normal priority.
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
 * Threads that compute scrypt. A flood of sign-ins gets only CPU time that nothing else needs, and doesn't occupy the threads that
 * Node uses for files and DNS. If no thread of a priority is idle, another is started and kept.
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
