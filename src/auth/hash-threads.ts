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

// Text, because a test has no compiled file to run. Linux gives each thread a priority of its own: with `nice` 15 a thread gets
// about a thirtieth of what one that stores messages gets, and all that nothing else needs. Elsewhere it is as any thread.
const CODE = `
  const { scryptSync } = require('node:crypto');
  const { readlinkSync } = require('node:fs');
  const { setPriority } = require('node:os');
  const { parentPort } = require('node:worker_threads');
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 15);
  } catch {}
  parentPort.on('message', ({ password, salt, length, options }) =>
    parentPort.postMessage(scryptSync(password, salt, length, options)));`;

/**
 * Threads that compute scrypt beside everything else: a storm of log-ins takes the processor time that is left over, and none of
 * the threads that the process uses for files and names. A thread is started when none is idle, and kept.
 */
@Injectable()
export class HashThreads implements OnModuleDestroy {
  private readonly all = new Set<Worker>();
  private readonly idle: Worker[] = [];

  /** @throws Error when the thread died */
  async scrypt(job: ScryptJob): Promise<Buffer> {
    const thread = this.idle.pop() ?? this.start();
    try {
      thread.postMessage(job);
      const [hash] = (await once(thread, 'message')) as [Uint8Array];
      this.idle.push(thread);
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

  private start(): Worker {
    const thread = new Worker(CODE, { eval: true });
    thread.unref();
    this.all.add(thread);
    return thread;
  }
}
