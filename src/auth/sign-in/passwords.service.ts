import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../platform/lib/fair-queue.js';
import { type Counter, Metrics } from '../../platform/telemetry/metrics.js';
import { QueueDepths } from '../../platform/telemetry/queue-depths.js';
import { type HashPriority, HashThreads, type ScryptJob } from './hash-threads.js';
import { hashPassword, isCurrent, isPasswordOf, makeDummy, PasswordCost } from './password-hash.js';

/**
 * How many hashes of known clients, and how many of others, are computed at a time. Each takes 32 MB and a processor for a quarter
 * of a second. (On two processors, two at a time for the others doubled the time that a message takes.)
 */
const CONCURRENT_HASHES = 1;

/** Who asks for a hash. */
export interface HashClient {
  network: string;
  /** It has a session, a link, or a network in which the agent has signed in before: guesses from elsewhere do not delay it. */
  isKnown: boolean;
}

/** Computes hashes of passwords; valid inside its turn only. */
export interface Hasher {
  hash(password: string): Promise<string>;
  /** Whether a password is the one of a hash. Without a hash it takes the same time, and is wrong. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

/** The clients that take turns among each other, and what computes their hashes. */
interface HashQueue {
  queue: FairQueue;
  hasher: Hasher;
}

/**
 * Computes the hashes of passwords, few at a time and in threads of low priority, so that a storm of log-ins does not slow messages
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
    this.hashes = metrics.counter('parley_password_hashes_total', 'Hashes of passwords that were computed');
    queues.add('password', () => this.known.queue.depth + this.unknown.queue.depth);
  }

  /**
   * Runs work that hashes passwords when its turn comes. Clients that are known do not wait for others, whose hashes get only what
   * processor time is left over. Turns go round robin by network: one with many addresses has no more turns than another.
   * The work does not hash at the same time as itself.
   * @throws Problem unavailable when too many wait, or after 4 s
   */
  enqueue<T>({ network, isKnown }: HashClient, work: (hasher: Hasher) => Promise<T>): Promise<T> {
    const { queue: turns, hasher } = isKnown ? this.known : this.unknown;
    return turns.run(network, () => work(hasher));
  }

  /** Whether a hash was made with the parameters of today. */
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
