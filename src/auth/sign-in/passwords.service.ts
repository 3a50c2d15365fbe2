import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../platform/lib/fair-queue.js';
import { type Counter, Metrics } from '../../platform/telemetry/metrics.js';
import { QueueDepths } from '../../platform/telemetry/queue-depths.js';
import { type HashPriority, HashThreads, type ScryptJob } from './hash-threads.js';
import { hashPassword, isCurrent, isPasswordOf, makeDummy, PasswordCost } from './password-hash.js';

/**
 * How many hashes of known clients, and how many of unknown ones, are computed in parallel. Each takes 32 MB and a processor for a
 * quarter of a second. (On two processors, two in parallel for unknown clients doubled the latency of messages.)
 */
const CONCURRENT_HASHES = 1;

export interface HashClient {
  network: string;
  /** Whether it has a session, a link, or a network that the agent signed in from before. Guesses from elsewhere don't delay it. */
  isKnown: boolean;
}

/** Computes password hashes. Valid only inside its turn. */
export interface Hasher {
  hash(password: string): Promise<string>;
  /** Whether a password matches a hash. Without a hash, takes as long and returns false. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

/** Clients that take turns among each other, and what computes their hashes. */
interface HashQueue {
  queue: FairQueue;
  hasher: Hasher;
}

/**
 * Computes password hashes, few in parallel and in low-priority threads, so that a flood of sign-ins doesn't slow down messages
 * (CONTRACT section 7).
 */
@Injectable()
export class PasswordsService {
  private readonly known = this.makeQueue('LOW');
  private readonly unknown = this.makeQueue('LEFT_OVER');
  private readonly hashes: Counter;

  constructor(
    private readonly cost: PasswordCost,
    private readonly threads: HashThreads,
    metrics: Metrics,
    queues: QueueDepths,
  ) {
    this.hashes = metrics.counter('parley_password_hashes_total');
    queues.add('password', () => this.known.queue.depth + this.unknown.queue.depth);
  }

  /**
   * Runs work that hashes passwords when its turn comes. Known clients don't wait for unknown ones, whose hashes get idle CPU time
   * only. Turns are round-robin by network, so a network with many addresses gets as many turns as any other. The work hashes one
   * password at a time.
   * @throws Problem unavailable when too many wait, or after 4 s
   */
  enqueue<T>({ network, isKnown }: HashClient, work: (hasher: Hasher) => Promise<T>): Promise<T> {
    const { queue, hasher } = isKnown ? this.known : this.unknown;
    return queue.run(network, () => work(hasher));
  }

  /** Whether a hash uses the current parameters. */
  isCurrent(stored: string): boolean {
    return isCurrent(stored, this.cost);
  }

  private makeQueue(priority: HashPriority): HashQueue {
    const scrypt = (job: ScryptJob) => this.threads.scrypt(job, priority);
    const hasher: Hasher = {
      hash: (password) => {
        this.hashes.add();
        return hashPassword(scrypt, password, this.cost);
      },
      verify: async (password, stored) => {
        this.hashes.add();
        return (await isPasswordOf(scrypt, stored ?? makeDummy(this.cost), password)) && stored !== null;
      },
    };
    return { queue: new FairQueue(CONCURRENT_HASHES), hasher };
  }
}
