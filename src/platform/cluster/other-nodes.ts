import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Config } from '../config/config.js';
import { LogSampler } from '../telemetry/log-sampler.js';
import type { Counter } from '../telemetry/metrics.js';
import { deriveKeys } from '../lib/secrets.js';
import { HintSigner } from './hint-signer.js';
import type { RedisLink } from './redis-link.js';

/**
 * The facts that nodes send each other. Each feature declares its own:
 * `declare module './other-nodes.js' { interface NodeFacts { 'chat.changed': ChatChanged } }`.
 */
export interface NodeFacts {}

export type NodeFact = Extract<keyof NodeFacts, string>;

/** How a node reaches Redis. */
export interface RedisState {
  isConnected: boolean;
  /** Why it's disconnected, and since when; null while it's connected. */
  reason: string | null;
  since: Date | null;
  roundTripSeconds: number;
}

/** Counters of hints that were sent, received, dropped, and refused because no node of this installation sent them. */
export type HintCounts = Record<'published' | 'dropped' | 'received' | 'refused', Counter>;

/**
 * The channel that every node subscribes to. Each chat also has its own channel, for the nodes that hold sockets of
 * that chat.
 */
export const ALL_NODES = 'all';

const PREFIX = 'parley:';
const ID_LENGTH = 8;

/**
 * Publishes hints to the other processes on the same database, and receives theirs, through Redis. Without REDIS_URL
 * there are no other nodes. A hint may be lost: no caller waits for it, and the database holds the same information.
 * Every client of the Redis server can publish, other installations included, so a hint without this installation's
 * code is refused.
 */
@Injectable()
export class OtherNodes implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(OtherNodes.name);
  private readonly id = randomBytes(6).toString('base64url').slice(0, ID_LENGTH);
  private readonly handlers = new Map<string, ((data: never) => unknown)[]>();
  /** This node's subscribers by channel. */
  private readonly subscribers = new Map<string, Set<string>>();
  private readonly changeListeners: (() => void)[] = [];
  private link?: RedisLink;
  private counts?: HintCounts;
  private hasRejected = false;
  private hasConnected = false;
  private lost: { reason: string; since: Date } | null = null;
  private readonly lines = new LogSampler((omitted) =>
    this.logger.warn({ omitted }, 'left out further lines about Redis'),
  );
  private readonly signer: HintSigner;

  constructor(private readonly config: Config) {
    this.signer = new HintSigner(deriveKeys(config, 'node hints'));
  }

  async onModuleInit(): Promise<void> {
    const { REDIS_URL } = this.config;
    if (REDIS_URL === undefined) return;
    // A single node doesn't load the library.
    const { RedisLink } = await import('./redis-link.js');
    this.link = new RedisLink(REDIS_URL, {
      onText: (channel, text) => this.receive(channel, text),
      onDisconnected: (error, isNew) => this.onRedisDisconnected(error, isNew),
      onRefused: ({ message }) => this.warn('Redis refused a hint', message),
      onConnected: (isBack) => this.onRedisConnected(isBack),
    });
    this.link.open();
    void this.link.subscribe(PREFIX + ALL_NODES);
  }

  onApplicationShutdown(): void {
    this.link?.close();
    this.lines.flush();
  }

  /** Whether Redis is configured but not connected, so that hints from other nodes don't arrive. */
  get isDisconnected(): boolean {
    return this.link?.isDisconnected ?? false;
  }

  /** Seconds that Redis took to answer, or hasn't answered; null without Redis. */
  get roundTripSeconds(): number | null {
    return this.link?.roundTripSeconds ?? null;
  }

  /** How this node reaches Redis; null without one. */
  get redis(): RedisState | null {
    if (!this.link) return null;
    const { isDisconnected, roundTripSeconds } = this.link;
    const lost = isDisconnected ? this.lost : null;
    return { isConnected: !isDisconnected, reason: lost?.reason ?? null, since: lost?.since ?? null, roundTripSeconds };
  }

  countHintsIn(counts: HintCounts): void {
    this.counts = counts;
  }

  /** Calls the listener whenever the connection to Redis is lost or restored: hints may have been missed. */
  onChange(listener: () => void): void {
    this.changeListeners.push(listener);
  }

  publish<F extends NodeFact>(channel: string, fact: F, data: NodeFacts[F]): void {
    if (!this.link) return;
    const name = PREFIX + channel;
    const isPublished = this.link.publish(name, this.signer.sign(name, this.id + JSON.stringify([fact, data])));
    this.counts?.[isPublished ? 'published' : 'dropped'].add();
  }

  /** Calls the handler for each fact of this kind from another node. A fact may have several handlers. */
  on<F extends NodeFact>(fact: F, handler: (data: NodeFacts[F]) => unknown): void {
    this.handlers.set(fact, [...(this.handlers.get(fact) ?? []), handler as (data: never) => unknown]);
  }

  /**
   * Subscribes to a channel. Resolves when everything published from now on arrives, or earlier if Redis is slow. The
   * channel is left with its last subscriber.
   */
  async subscribe(channel: string, subscriber: string): Promise<void> {
    if (!this.link) return;
    const subscribers = this.subscribers.get(channel);
    if (subscribers) subscribers.add(subscriber);
    else this.subscribers.set(channel, new Set([subscriber]));
    await this.link.subscribe(PREFIX + channel);
  }

  unsubscribe(channel: string, subscriber: string): void {
    const subscribers = this.subscribers.get(channel);
    if (!subscribers?.delete(subscriber) || subscribers.size > 0) return;
    this.subscribers.delete(channel);
    this.link?.unsubscribe(PREFIX + channel);
  }

  // A node of a later release may send unknown facts: they are ignored.
  private receive(channel: string, sealed: string): void {
    if (sealed.startsWith(this.id)) return;
    const text = this.signer.verify(channel, sealed);
    if (text === null) return this.reject();
    this.counts?.received.add();
    const handle = async () => {
      const [fact, data] = JSON.parse(text.slice(ID_LENGTH)) as [string, never];
      await Promise.all((this.handlers.get(fact) ?? []).map((handler) => handler(data)));
    };
    handle().catch((err: unknown) => this.logger.warn({ err }, 'failed to handle a message from another node'));
  }

  private reject(): void {
    this.counts?.refused.add();
    if (this.hasRejected) return;
    this.hasRejected = true;
    this.logger.warn(
      "rejected a hint that isn't signed with SECRET_KEY or SECRET_KEY_PREVIOUS: it comes from another installation, a node with another key, or an older release; further ones are only counted",
    );
  }

  private onRedisDisconnected({ message }: Error, isNew: boolean): void {
    this.lost = { reason: message, since: isNew || !this.lost ? new Date() : this.lost.since };
    if (!isNew) return this.warn('Redis is still disconnected, for another reason', message);
    this.warn('lost the connection to Redis; updates from other nodes arrive with the next database check', message);
    for (const listener of this.changeListeners) listener();
  }

  private onRedisConnected(isBack: boolean): void {
    const { lost, hasConnected } = this;
    this.lost = null;
    this.hasConnected = true;
    if (!hasConnected) this.logger.log('connected to Redis');
    else if (isBack && lost && this.lines.admits('reconnected')) {
      const seconds = Math.round((Date.now() - lost.since.getTime()) / 1_000);
      this.logger.log({ seconds }, `reconnected to Redis, after ${seconds} s`);
    }
    for (const listener of this.changeListeners) listener();
  }

  /** Logs what Redis or the system said. Some lines a minute: a Redis that fails may do so often. */
  private warn(message: string, reason: string): void {
    if (this.lines.admits(message)) this.logger.warn({ reason }, message);
  }
}
