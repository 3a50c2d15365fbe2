import { Worker } from 'node:worker_threads';
import type { ParsedMail, UnreadableReason } from './parsed-mail.js';

export type Answer = { mail: ParsedMail } | { reason: UnreadableReason };

// JavaScript, because tests have no compiled file to run.
const CODE = new URL('thread/thread.mjs', import.meta.url);

/** A thread that parses mails. A mail that takes too much time or memory ends it. */
export class MailThread {
  /** Whether it can parse another mail. */
  isUsable = true;
  private readonly worker: Worker;

  /** @param memoryMb the most memory of its JavaScript values, in MB */
  constructor(memoryMb: number) {
    this.worker = new Worker(CODE, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    });
    this.worker.unref();
    this.worker.on('exit', () => (this.isUsable = false));
  }

  /** Parses one mail at a time. @param timeoutMs the thread ends when a mail takes longer, in ms */
  parse(source: Buffer, timeoutMs: number): Promise<Answer> {
    const { worker } = this;
    const copy = new Uint8Array(source);
    return new Promise((resolve) => {
      const settle = (answer: Answer) => {
        clearTimeout(timer);
        worker.off('message', settle).off('error', fail).off('exit', fail);
        worker.unref();
        resolve(answer);
      };
      const fail = () => {
        this.isUsable = false;
        void worker.terminate();
        settle({ reason: 'too_costly' });
      };
      const timer = setTimeout(fail, timeoutMs);
      worker.on('message', settle).on('error', fail).on('exit', fail);
      worker.ref();
      worker.postMessage(copy, [copy.buffer]);
    });
  }

  async end(): Promise<void> {
    this.isUsable = false;
    await this.worker.terminate();
  }
}
