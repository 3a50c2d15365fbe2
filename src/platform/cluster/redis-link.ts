import { createClient, ErrorReply, type RedisClientOptions } from '@redis/client';
import { setTimeout as sleep } from 'node:timers/promises';

/** The interval between pings. Redis counts as disconnected when a ping isn't answered before the next one is due. */
const PING_INTERVAL_MS = 1_000;
/**
 * A Redis that missed a ping counts as connected again once it has answered so many pings in a row, each within this time in milliseconds. So
 * a slow one stays disconnected, instead of being lost and found again with each ping.
 */
const GOOD_PINGS = 5;
const GOOD_ROUND_TRIP_MS = 500;
/** A connection that receives nothing for this long is closed. */
const SOCKET_TIMEOUT_MS = 5_000;
/** The longest delay between two connection attempts. */
const MAX_RETRY_DELAY_MS = 1_000;
/** The longest time a subscriber waits for Redis. */
const SUBSCRIBE_TIMEOUT_MS = 250;
/** Published hints that may await Redis' confirmation; more are dropped. */
const MAX_UNANSWERED_HINTS = 2_048;

export interface RedisEvents {
  onText(channel: string, text: string): void;
  /** Redis is disconnected, or still is for another reason. `isNew`: it was connected. */
  onDisconnected(error: Error, isNew: boolean): void;
  /** Redis refused a hint, for example because its user lacks a right. */
  onRefused(error: Error): void;
  /**
   * All wanted channels are subscribed (again), and hints published before may be lost. `isBack`: Redis was
   * disconnected.
   */
  onConnected(isBack: boolean): void;
}

/**
 * Publishes and subscribes through Redis, for hints that may be lost: no method throws, and no caller waits for a Redis
 * server that doesn't respond. A hint that can't be published immediately is dropped, never queued.
 */
export class RedisLink {
  private state: 'new' | 'connected' | 'disconnected' = 'new';
  /** Whether a subscriber stopped waiting before its channel was subscribed. */
  private hasMissed = false;
  private readonly client: ReturnType<typeof connectTo>;
  private readonly wanted = new Set<string>();
  private readonly subscribed = new Set<string>();
  /** Channels that are wanted but not subscribed, or subscribed but no longer wanted. */
  private readonly changed = new Set<string>();
  private syncing?: Promise<void>;
  private heartbeat?: NodeJS.Timeout;
  private isPinging = false;
  private pingedAt = 0;
  private answeredAt = performance.now();
  private roundTripMs = 0;
  /** Good pings that are still missing since Redis was slow. */
  private missingPings = 0;
  private reason = '';
  private isClosed = false;
  private unanswered = 0;
  private readonly onMessage = (text: string, channel: string) => this.events.onText(channel, text);

  constructor(
    url: string,
    private readonly events: RedisEvents,
  ) {
    this.client = connectTo(url);
    this.client.on('error', (error: Error) => this.markDisconnected(error));
    this.client.on('ready', () => {
      this.missingPings = 0;
      void this.sync();
    });
  }

  get isDisconnected(): boolean {
    return this.state !== 'connected';
  }

  /** Seconds that the last ping took; while Redis doesn't answer, since its last answer. */
  get roundTripSeconds(): number {
    const isWaiting = this.isPinging || !this.client.isReady;
    return Math.max(this.roundTripMs, isWaiting ? performance.now() - this.answeredAt - PING_INTERVAL_MS : 0) / 1_000;
  }

  open(): void {
    this.client.connect().catch(() => undefined);
    this.heartbeat = setInterval(() => void this.ping(), PING_INTERVAL_MS).unref();
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.heartbeat);
    this.client.destroy();
  }

  /** Returns whether the hint was passed to Redis; otherwise it is dropped. */
  publish(channel: string, text: string): boolean {
    if (!this.client.isReady || this.isUnresponsive || this.unanswered >= MAX_UNANSWERED_HINTS) return false;
    this.unanswered++;
    const answered = () => void this.unanswered--;
    this.client.sPublish(channel, text).then(answered, (error: Error) => {
      answered();
      if (error instanceof ErrorReply) this.events.onRefused(error);
    });
    return true;
  }

  /**
   * Resolves when the channel's hints arrive here, after 250 ms at the latest, and immediately while Redis is
   * disconnected.
   */
  async subscribe(channel: string): Promise<void> {
    this.setWanted(channel, true);
    if (this.subscribed.has(channel)) return;
    const timeout = sleep(SUBSCRIBE_TIMEOUT_MS, true, { ref: false });
    if (this.isDisconnected || (await Promise.race([this.sync(), timeout]))) this.hasMissed = true;
  }

  unsubscribe(channel: string): void {
    this.setWanted(channel, false);
    // While Redis is disconnected, the change waits for the next connection.
    if (!this.isDisconnected) void this.sync();
  }

  /**
   * Stops writes to a Redis server that doesn't answer a ping. Otherwise the socket would never time out, because a
   * write restarts the socket's idle timer just as a read does.
   */
  private get isUnresponsive(): boolean {
    return this.isPinging && performance.now() - this.pingedAt > SOCKET_TIMEOUT_MS;
  }

  private setWanted(channel: string, isWanted: boolean): void {
    if (isWanted) this.wanted.add(channel);
    else this.wanted.delete(channel);
    if (isWanted === this.subscribed.has(channel)) this.changed.delete(channel);
    else this.changed.add(channel);
  }

  /** Subscribes and unsubscribes until the subscribed channels are the wanted ones. One run at a time; callers share it. */
  private sync(): Promise<void> {
    this.syncing ??= this.syncAll().finally(() => (this.syncing = undefined));
    return this.syncing;
  }

  private async syncAll(): Promise<void> {
    try {
      // Waits for the end of this turn of the event loop, so that all its changes are sent together.
      await new Promise(setImmediate);
      if (!this.client.isReady) return;
      while (this.changed.size > 0) await this.syncOnce([...this.changed]);
      this.markConnected();
    } catch (error) {
      this.markDisconnected(error as Error);
    }
  }

  private async syncOnce(changed: string[]): Promise<void> {
    const isIn = (channel: string) => this.wanted.has(channel);
    const [added, removed] = [changed.filter(isIn), changed.filter((channel) => !isIn(channel))];
    this.changed.clear();
    try {
      if (added.length > 0) await this.client.sSubscribe(added, this.onMessage);
      for (const channel of added) this.subscribed.add(channel);
      // Removed before Redis confirms, so that a caller that wants the channel again before that has to wait for
      // it.
      for (const channel of removed) this.subscribed.delete(channel);
      if (removed.length > 0) await this.client.sUnsubscribe(removed);
    } catch (error) {
      // The client keeps these channels and subscribes to them again on its next connection.
      for (const channel of removed) this.subscribed.add(channel);
      for (const channel of changed) this.setWanted(channel, isIn(channel));
      throw error;
    }
    // `setWanted` compared with the old `subscribed` during the await, so compare again.
    for (const channel of changed) this.setWanted(channel, isIn(channel));
  }

  // A late answer also shows that Redis is reachable again.
  private async ping(): Promise<void> {
    if (this.isPinging) return this.onMissedPing();
    if (!this.client.isReady) return;
    this.isPinging = true;
    this.pingedAt = performance.now();
    const hasAnswered = await this.client.ping().then(
      () => true,
      () => false,
    );
    this.isPinging = false;
    if (hasAnswered) await this.onAnswer();
  }

  private async onAnswer(): Promise<void> {
    this.answeredAt = performance.now();
    this.roundTripMs = this.answeredAt - this.pingedAt;
    const isGood = this.roundTripMs < GOOD_ROUND_TRIP_MS;
    if (this.missingPings > 0) this.missingPings = isGood ? this.missingPings - 1 : GOOD_PINGS;
    await this.sync();
  }

  // This process may have been busy, and the answer unread: it's read before `setImmediate`.
  private async onMissedPing(): Promise<void> {
    await new Promise(setImmediate);
    if (!this.isPinging) return;
    this.missingPings = GOOD_PINGS;
    this.markDisconnected(new Error(`Redis is slow: no answer to a ping within ${PING_INTERVAL_MS} ms`));
  }

  private markDisconnected(error: Error): void {
    const isNew = this.state !== 'disconnected';
    const reason = reasonOf(error);
    if (this.isClosed || (!isNew && reason === this.reason)) return;
    this.state = 'disconnected';
    this.reason = reason;
    this.events.onDisconnected(error, isNew);
  }

  private markConnected(): void {
    if (this.missingPings > 0 || (this.state === 'connected' && !this.hasMissed)) return;
    const isBack = this.isDisconnected;
    this.state = 'connected';
    this.hasMissed = false;
    this.events.onConnected(isBack);
  }
}

/** What distinguishes a reason from others: its code, or the first word of what Redis answered, such as WRONGPASS. */
function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code ?? `${error.name} ${/^\w*/.exec(error.message)![0]}`;
}

function connectTo(url: string) {
  const options: RedisClientOptions = {
    url,
    name: 'parley',
    disableOfflineQueue: true,
    socket: {
      connectTimeout: SOCKET_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2),
    },
  };
  return createClient(options);
}
