import { Injectable } from '@nestjs/common';
import { RecencyQueue } from './recency-queue.js';
import { type Counter, Metrics } from '../../platform/telemetry/metrics.js';
import { QueueDepths } from '../../platform/telemetry/queue-depths.js';
import { type HashPriority, HashThreads, type ScryptJob } from './hash-threads.js';
import { comparePassword, hashPassword, isCurrent, makeDummy, PasswordCost, PasswordSalts } from './password-hash.js';

/**
 * How many hashes of known clients, and how many of unknown ones, are computed in parallel. Each takes 32 MB and a processor for a
 * quarter of a second. (On two processors, two in parallel for unknown clients doubled the latency of messages.)
 */
const CONCURRENT_HASHES = 1;

export interface HashClient {
  network: string;
  /**
   * The organizations where it's known by a session, a link, or a network that the agent signed in from before. Guesses from elsewhere
   * don't delay it. Empty: an unknown client.
   */
  organizationIds: readonly string[];
}

/** Computes password hashes. Valid only inside its turn. */
export interface Hasher {
  hash(emailKey: string, password: string): Promise<string>;
  /**
   * A test whether a hash is of a password, for all hashes with the parameters and salt of `like`. It costs one hash. Null takes as
   * long, and no hash passes.
   */
  compare(password: string, like: string | null): Promise<(stored: string) => boolean>;
}

/** Clients that take turns among each other, and what computes their hashes. */
interface HashQueue {
  queue: RecencyQueue;
  hasher: Hasher;
}

/**
 * Computes password hashes, few in parallel and in low-priority threads, so that a flood of sign-ins doesn't slow down messages
 * (CONTRACT: Signing in).
 */
@Injectable()
export class PasswordsService {
  private readonly known = this.makeQueue('LOW');
  private readonly unknown = this.makeQueue('LEFT_OVER');
  private readonly hashes: Counter;

  constructor(
    private readonly cost: PasswordCost,
    private readonly salts: PasswordSalts,
    private readonly threads: HashThreads,
    metrics: Metrics,
    queues: QueueDepths,
  ) {
    this.hashes = metrics.counter('parley_password_hashes_total');
    queues.add('password', () => this.known.queue.depth + this.unknown.queue.depth);
  }

  /**
   * Runs work that hashes passwords when its turn comes. Known clients don't wait for unknown ones, whose hashes get idle CPU time
   * only. The next turn belongs to the organization and network that had none for the longest time, so neither many addresses,
   * networks, or agents of one organization nor many organizations of one network delay others. The work hashes one password at a time.
   * @throws Problem unavailable when too many wait, or after 4 s
   */
  enqueue<T>({ network, organizationIds }: HashClient, work: (hasher: Hasher) => Promise<T>): Promise<T> {
    const { queue, hasher } = organizationIds.length > 0 ? this.known : this.unknown;
    const organizationId = queue.leastRecent(organizationIds);
    const keys = organizationId === undefined ? [network] : [network, organizationId];
    return queue.run(keys, () => work(hasher));
  }

  /** Whether a hash uses the current parameters and a salt of this address. */
  isCurrent(emailKey: string, stored: string): boolean {
    return this.salts.current(emailKey).some((salt) => isCurrent(stored, salt, this.cost));
  }

  private makeQueue(priority: HashPriority): HashQueue {
    const scrypt = (job: ScryptJob) => this.threads.scrypt(job, priority);
    const hasher: Hasher = {
      hash: (emailKey, password) => {
        this.hashes.add();
        return hashPassword(scrypt, password, this.salts.of(emailKey), this.cost);
      },
      compare: (password, like) => {
        this.hashes.add();
        return comparePassword(scrypt, like ?? makeDummy(this.cost), password);
      },
    };
    return { queue: new RecencyQueue(CONCURRENT_HASHES), hasher };
  }
}
