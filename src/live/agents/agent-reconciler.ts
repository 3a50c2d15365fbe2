import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { ThisNode } from '../../platform/cluster/this-node.js';
import { Sweep } from '../../platform/lib/sweep.js';
import { AgentChats } from '../agent-state/agent-chats.js';
import { AgentFeed } from '../agent-state/agent-feed.js';
import { AgentFollows } from './agent-follows.js';
import { ChatViewers } from './chat-viewers.js';
import { AgentOffers } from './agent-offers.js';
import { AgentPermissions } from '../agent-state/agent-permissions.js';
import { AgentNodes } from '../agent-state/agent-nodes.js';
import { AgentRows } from './agent-rows.js';
import { AgentSessions } from '../agent-state/agent-sessions.js';
import { LiveUpdates } from '../feeds/live-updates.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { StaleNotifier } from './stale-notifier.js';
import { Timings } from '../feeds/timings.js';

/**
 * Compares what this node's agents were sent with the database, because hints can be lost and a node can die between a commit
 * and its events. It runs at intervals, when the connection to Redis is lost or restored, and when another node is lost. It
 * sends no query while no agent is connected.
 */
@Injectable()
export class AgentReconciler implements OnModuleDestroy {
  private readonly logger = new Logger(AgentReconciler.name);
  private readonly staleNotices = new StaleNotifier((sockets) => this.feed.sendStale(sockets));
  private readonly sweep: Sweep;

  constructor(
    private readonly feed: AgentFeed,
    private readonly permissions: AgentPermissions,
    private readonly chats: AgentChats,
    private readonly offers: AgentOffers,
    private readonly rows: AgentRows,
    private readonly follows: AgentFollows,
    private readonly viewers: ChatViewers,
    private readonly sessions: AgentSessions,
    private readonly agentNodes: AgentNodes,
    private readonly nodes: OtherNodes,
    node: ThisNode,
    updates: LiveUpdates,
    timings: Timings,
    metrics: LiveMetrics,
  ) {
    this.sweep = new Sweep({
      interval: () => timings.agents,
      isNeeded: () => feed.sockets().length > 0,
      run: () => this.run(),
      onError: (err, isFirst) => {
        metrics.agentSweepErrors.add();
        if (isFirst) this.logger.warn({ err }, 'failed to compare what agents were sent with the database');
      },
    });
    feed.onConnected(() => this.sweep.schedule());
    nodes.onChange(() => this.reconcileNow());
    node.onNodeLost(() => this.reconcileNow());
    // Groups, colleagues, and tags are in every list, with their names.
    updates.on('group.changed', ({ organizationId }) => this.markStale(organizationId));
    updates.on('tags.changed', ({ organizationId }) => this.markStale(organizationId));
    updates.on('agent.changed', ({ organizationId }) => this.markStale(organizationId));
  }

  onModuleDestroy(): void {
    this.sweep.stop();
    this.staleNotices.stop();
  }

  private markStale(organizationId: string): void {
    this.staleNotices.add(this.feed.socketsOf(organizationId));
  }

  private reconcileNow(): void {
    if (this.sweep.isStopped) return;
    this.staleNotices.add(this.feed.sockets());
    this.sweep.trigger();
  }

  private async run(): Promise<void> {
    this.agentNodes.announce();
    this.viewers.announce();
    if (this.nodes.isDisconnected) this.staleNotices.add(this.feed.sockets());
    await this.reconcile();
  }

  private async reconcile(): Promise<void> {
    if (this.feed.sockets().length === 0) return;
    await this.sessions.reconcile();
    await this.permissions.reconcile();
    await this.offers.reconcile();
    await this.follows.reconcile();
    for (const { organizationId, id } of await this.chats.reconcile())
      this.rows.markChanged(organizationId, { chatId: id });
  }
}
