import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../config/config.js';
import { POOL } from '../database/pool.js';
import { PeriodicJob } from '../lib/periodic-job.js';
import { deriveKey } from '../lib/secrets.js';
import { BUILD, type Build, nameOf } from '../telemetry/build.js';
import { Metrics } from '../telemetry/metrics.js';
import { type DatabaseIdentity, readDatabaseIdentity } from './nodes.queries.js';
import { ALL_NODES, OtherNodes } from './other-nodes.js';
import { ThisNode } from './this-node.js';

/** A node as it describes itself to others. */
export interface NodeDescription extends Build, DatabaseIdentity {
  id: string;
  /** Identifies its SECRET_KEY, and doesn't reveal it. */
  key: string;
}

declare module './other-nodes.js' {
  interface NodeFacts {
    'node.seen': NodeDescription;
  }
}

/** A node and how it differs from this one. */
export interface Neighbor extends Build {
  id: string;
  usesSameDatabase: boolean;
  usesSameKey: boolean;
}

interface Seen {
  node: NodeDescription;
  at: number;
  /** Since when it has another database, by `Date.now()`; null: it has the same. */
  differsSince: number | null;
}

const INTERVAL_MS = 5_000;
/** A node that hasn't described itself for this long has ended. */
const ENDED_AFTER_MS = 15_000;
/** At a failover, nodes notice the new timeline one after the other. */
const PATIENCE_MS = 15_000;
/** The most nodes that are remembered. */
const MAX_NODES = 1_000;

/**
 * The builds and databases of the other nodes on this Redis: nodes describe themselves every 5 s. Two nodes that store in different
 * databases, such as the two sides of a failed failover, each look healthy.
 */
@Injectable()
export class Neighbors implements OnModuleInit, BeforeApplicationShutdown {
  /** How long a node must have another database before it counts. Tests shorten it. */
  patienceMs = PATIENCE_MS;
  private readonly logger = new Logger('Nodes');
  private readonly job = new PeriodicJob(() => this.describe(), INTERVAL_MS);
  private readonly seen = new Map<string, Seen>();
  private readonly reported = new Set<string>();
  private own: NodeDescription;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
    private readonly nodes: OtherNodes,
    node: ThisNode,
    metrics: Metrics,
  ) {
    const key = deriveKey(config.SECRET_KEY, 'name of the key').toString('base64url', 0, 6);
    this.own = { id: node.id, ...BUILD, key, system: null, timeline: null };
    if (config.REDIS_URL === undefined) return;
    const others = metrics.gauges('parley_other_nodes');
    others('database', () => this.others.filter(({ usesSameDatabase }) => !usesSameDatabase).length);
    others(
      'build',
      () => this.others.filter(({ version, commit }) => nameOf({ version, commit }) !== nameOf(BUILD)).length,
    );
    others('key', () => this.others.filter(({ usesSameKey }) => !usesSameKey).length);
  }

  onModuleInit(): void {
    if (this.config.REDIS_URL === undefined) return;
    this.nodes.on('node.seen', (node) => this.receive(node));
    this.job.start(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.job.stop();
  }

  /** The nodes that described themselves in the last 15 s, without this one. */
  get others(): Neighbor[] {
    return this.running().map(({ node: { id, version, commit, key }, differsSince }) => {
      const usesSameDatabase = differsSince === null || Date.now() - differsSince < this.patienceMs;
      return { id, version, commit, usesSameDatabase, usesSameKey: key === this.own.key };
    });
  }

  get self(): Neighbor {
    const { id, version, commit } = this.own;
    return { id, version, commit, usesSameDatabase: true, usesSameKey: true };
  }

  /** What's wrong, for people; null if all nodes use the same database. */
  get problem(): string | null {
    const count = this.others.filter(({ usesSameDatabase }) => !usesSameDatabase).length;
    return count === 0 ? null : `Nodes use different databases: ${count} others on this Redis store elsewhere`;
  }

  private running(): Seen[] {
    const now = Date.now();
    for (const [id, { at }] of this.seen) if (now - at > ENDED_AFTER_MS) this.seen.delete(id);
    return [...this.seen.values()];
  }

  private receive(node: NodeDescription): void {
    const before = this.seen.get(node.id);
    if (!before && this.seen.size >= MAX_NODES) return;
    const differsSince = isElsewhere(node, this.own) ? (before?.differsSince ?? Date.now()) : null;
    this.seen.set(node.id, { node, at: Date.now(), differsSince });
  }

  private async describe(): Promise<void> {
    const identity = await readDatabaseIdentity(this.pool).catch(() => null);
    // A database that doesn't answer, or doesn't identify itself, doesn't count as another one.
    if (identity) this.own = { ...this.own, ...identity };
    this.nodes.publish(ALL_NODES, 'node.seen', this.own);
    for (const { node } of this.running()) this.compareAgain(node);
    this.report();
  }

  // This node's database may be another one now.
  private compareAgain(node: NodeDescription): void {
    const entry = this.seen.get(node.id)!;
    entry.differsSince = isElsewhere(node, this.own) ? (entry.differsSince ?? Date.now()) : null;
  }

  private report(): void {
    const elsewhere = new Set(this.others.filter(({ usesSameDatabase }) => !usesSameDatabase).map(({ id }) => id));
    for (const id of elsewhere) {
      if (this.reported.has(id)) continue;
      this.logger.error(`node ${id} stores in another database: ${compare(this.seen.get(id)!.node, this.own)}`);
    }
    if (this.reported.size > 0 && elsewhere.size === 0) this.logger.log('all nodes use the same database again');
    this.reported.clear();
    for (const id of elsewhere) this.reported.add(id);
  }
}

function isElsewhere(node: NodeDescription, own: NodeDescription): boolean {
  const differs = <T>(a: T | null, b: T | null) => a !== null && b !== null && a !== b;
  return differs(node.system, own.system) || differs(node.timeline, own.timeline);
}

function compare(node: NodeDescription, own: NodeDescription): string {
  if (node.system !== own.system) return `its system identifier and number are ${node.system}, and ${own.system} here`;
  const older = node.timeline! < own.timeline! ? 'it' : 'this node';
  return `its timeline is ${node.timeline}, and ${own.timeline} here, so ${older} has an old primary`;
}
