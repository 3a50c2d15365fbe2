import { Injectable } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { FairTurns } from '../platform/lib/fair-turns.js';
import { type Counter, Metrics } from '../platform/telemetry/metrics.js';
import { QueueDepths } from '../platform/telemetry/queue-depths.js';
import { HashThreads, type ScryptJob } from './hash-threads.js';
import { hashPassword, isCurrent, isPasswordOf, makeDummy, PasswordCost } from './password-hash.js';

/**
 * The most hashes that are computed at a time, two at the most: each takes 32 MB and a processor for a quarter of a second, and one
 * processor is left to messages. (On two processors, two hashes at a time doubled the time that a message takes; one adds nothing.)
 */
const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));

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

/**
 * Computes the hashes of passwords, few at a time and in threads of low priority, so that a storm of log-ins does not slow messages
 * (CONTRACT section 7).
 */
@Injectable()
export class PasswordsService {
  private readonly turns = new FairTurns(AT_ONCE);
  private readonly lanes = { known: new FairTurns(AT_ONCE), unknown: new FairTurns(AT_ONCE) };
  private readonly hashes: Counter;

  private readonly scrypt = (job: ScryptJob) => this.threads.scrypt(job);

  private readonly hasher: Hasher = {
    hash: (password) => {
      this.hashes.add();
      return hashPassword(this.scrypt, password, this.cost);
    },
    verify: async (password, stored) => {
      this.hashes.add();
      return (await isPasswordOf(this.scrypt, stored ?? makeDummy(this.cost), password)) && stored !== null;
    },
  };

  constructor(
    private readonly cost: PasswordCost,
    private readonly threads: HashThreads,
    metrics: Metrics,
    queues: QueueDepths,
  ) {
    this.hashes = metrics.counter('parley_password_hashes_total', 'Hashes of passwords that were computed');
    queues.add('password', () => this.lanes.known.depth + this.lanes.unknown.depth);
  }

  /**
   * Runs work that hashes passwords when its turn comes. Where both wait, every second turn is for clients that are known, and
   * among them, as among the others, turns go round robin by network: one with many addresses has no more turns than another.
   * The work does not hash at the same time as itself.
   * @throws Problem unavailable when too many wait, or after 4 s
   */
  inTurn<T>({ network, isKnown }: HashClient, work: (hasher: Hasher) => Promise<T>): Promise<T> {
    const lane = isKnown ? 'known' : 'unknown';
    return this.lanes[lane].run(network, () => this.turns.run(lane, () => work(this.hasher)));
  }

  /** Whether a hash was made with the parameters of today. */
  isCurrent(stored: string): boolean {
    return isCurrent(stored, this.cost);
  }
}
