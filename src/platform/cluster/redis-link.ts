import { createClient, type RedisClientOptions } from '@redis/client';
import { setTimeout as after } from 'node:timers/promises';

/** How often Redis is asked whether it is there, in milliseconds: it is away when it has not answered by the next time. */
const HEARTBEAT = 1_000;
/** A connection on which nothing came for so long is given up, in milliseconds. */
const SILENCE = 5_000;
/** The longest time between two attempts to connect, in milliseconds. */
const MAX_RETRY_DELAY = 1_000;
/** Whoever subscribes waits so long at most, in milliseconds. */
const PATIENCE = 250;
/** What may be published and not yet answered; more is dropped. */
const MAX_UNANSWERED = 2_048;

export interface RedisEvents {
  onText(channel: string, text: string): void;
  onAway(error: unknown): void;
  /** Everything that is wanted is subscribed (again); what was published before may be lost. */
  onThere(isBack: boolean): void;
}

/**
 * Publishes and subscribes through Redis, for hints that may be lost: nothing here ever throws, and nobody waits for a
 * Redis that does not answer. What cannot be published at once is dropped, never kept for later.
 */
export class RedisLink {
  private state: 'new' | 'there' | 'away' = 'new';
  /** Whether somebody went on without waiting for their channel. */
  private hasMissed = false;
  private readonly client: ReturnType<typeof connectTo>;
  private readonly wanted = new Set<string>();
  private readonly subscribed = new Set<string>();
  /** Channels that are wanted and not subscribed, or the other way round. */
  private readonly changed = new Set<string>();
  private settling?: Promise<void>;
  private heartbeat?: NodeJS.Timeout;
  private isAsking = false;
  private askedAt = 0;
  private unanswered = 0;
  private readonly hear = (text: string, channel: string) => this.events.onText(channel, text);

  constructor(
    url: string,
    private readonly events: RedisEvents,
  ) {
    this.client = connectTo(url);
    this.client.on('error', (error: unknown) => this.lose(error));
    this.client.on('ready', () => void this.settle());
  }

  get isAway(): boolean {
    return this.state !== 'there';
  }

  /** Connects in the background, and again whenever the connection is lost. */
  open(): void {
    this.client.connect().catch(() => undefined);
    this.heartbeat = setInterval(() => void this.ask(), HEARTBEAT).unref();
  }

  close(): void {
    clearInterval(this.heartbeat);
    this.client.destroy();
  }

  /** Whether it was given to Redis; else it is dropped. */
  publish(channel: string, text: string): boolean {
    if (!this.client.isReady || this.isSilent || this.unanswered >= MAX_UNANSWERED) return false;
    this.unanswered++;
    const answered = () => void this.unanswered--;
    this.client.sPublish(channel, text).then(answered, answered);
    return true;
  }

  /** Waits until what is published reaches us, for 250 ms at most and not at all when Redis is away. */
  async subscribe(channel: string): Promise<void> {
    this.want(channel, true);
    if (this.subscribed.has(channel)) return;
    const late = after(PATIENCE, true, { ref: false });
    if (this.isAway || (await Promise.race([this.settle(), late]))) this.hasMissed = true;
  }

  unsubscribe(channel: string): void {
    this.want(channel, false);
    // Who is away is told when it is there again.
    if (!this.isAway) void this.settle();
  }

  /** Nothing is written any more: to the socket's own limit, what is written is a sign of life as what comes is. */
  private get isSilent(): boolean {
    return this.isAsking && performance.now() - this.askedAt > SILENCE;
  }

  private want(channel: string, isWanted: boolean): void {
    if (isWanted) this.wanted.add(channel);
    else this.wanted.delete(channel);
    if (isWanted === this.subscribed.has(channel)) this.changed.delete(channel);
    else this.changed.add(channel);
  }

  /** Brings what is subscribed in line with what is wanted; one at a time, each with all that came meanwhile. */
  private settle(): Promise<void> {
    this.settling ??= this.settleAll().finally(() => (this.settling = undefined));
    return this.settling;
  }

  private async settleAll(): Promise<void> {
    try {
      // Together with what else this turn of the event loop brings.
      await new Promise(setImmediate);
      if (!this.client.isReady) return;
      while (this.changed.size > 0) await this.settleOnce([...this.changed]);
      this.find();
    } catch (error) {
      this.lose(error);
    }
  }

  private async settleOnce(changed: string[]): Promise<void> {
    const isIn = (channel: string) => this.wanted.has(channel);
    const [come, gone] = [changed.filter(isIn), changed.filter((channel) => !isIn(channel))];
    this.changed.clear();
    try {
      if (come.length > 0) await this.client.sSubscribe(come, this.hear);
      for (const channel of come) this.subscribed.add(channel);
      // From here on, not from the answer on: whoever wants one of them again meanwhile has to wait for it.
      for (const channel of gone) this.subscribed.delete(channel);
      if (gone.length > 0) await this.client.sUnsubscribe(gone);
    } catch (error) {
      // The client keeps them, and subscribes to them again with the next connection.
      for (const channel of gone) this.subscribed.add(channel);
      for (const channel of changed) this.want(channel, isIn(channel));
      throw error;
    }
    // Whoever changed their mind meanwhile compared with what was true then.
    for (const channel of changed) this.want(channel, isIn(channel));
  }

  // An answer that comes late says that Redis is there again.
  private async ask(): Promise<void> {
    if (this.isAsking) return this.lose(new Error('Redis does not answer'));
    if (!this.client.isReady) return;
    this.isAsking = true;
    this.askedAt = performance.now();
    const isThere = await this.client.ping().then(
      () => true,
      () => false,
    );
    this.isAsking = false;
    if (isThere) await this.settle();
  }

  private lose(error: unknown): void {
    if (this.state === 'away') return;
    this.state = 'away';
    this.events.onAway(error);
  }

  private find(): void {
    if (this.state === 'there' && !this.hasMissed) return;
    const isBack = this.isAway;
    this.state = 'there';
    this.hasMissed = false;
    this.events.onThere(isBack);
  }
}

function connectTo(url: string) {
  const options: RedisClientOptions = {
    url,
    name: 'parley',
    disableOfflineQueue: true,
    socket: {
      connectTimeout: SILENCE,
      socketTimeout: SILENCE,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, MAX_RETRY_DELAY) * (0.5 + Math.random() / 2),
    },
  };
  return createClient(options);
}
