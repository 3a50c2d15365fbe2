import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { ThisNode } from '../../platform/cluster/this-node.js';
import { Sweep } from '../../platform/lib/sweep.js';
import { AgentChats } from '../agent-state/agent-chats.js';
import { AgentFeed } from '../agent-state/agent-feed.js';
import { ChatViewers } from './chat-viewers.js';
import { AgentOffers } from './agent-offers.js';
import { AgentPeople } from '../agent-state/agent-people.js';
import { AgentReach } from '../agent-state/agent-reach.js';
import { AgentRows } from './agent-rows.js';
import { AgentSessions } from '../agent-state/agent-sessions.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { StaleTurns } from './stale-turns.js';
import { Timings } from '../feeds/timings.js';

/**
 * Compares what the agents of this node were sent with the database, at intervals, when Redis is lost or back, and when another
 * node is lost: it may die between a commit and its events, and a hint may be lost. It sends no query while no agent is connected.
 */
@Injectable()
export class AgentComparison implements OnModuleDestroy {
  private readonly logger = new Logger(AgentComparison.name);
  private readonly staleTurns = new StaleTurns((sockets) => this.feed.sendStale(sockets));
  private readonly sweep: Sweep;

  constructor(
    private readonly feed: AgentFeed,
    private readonly people: AgentPeople,
    private readonly chats: AgentChats,
    private readonly offers: AgentOffers,
    private readonly rows: AgentRows,
    private readonly viewers: ChatViewers,
    private readonly sessions: AgentSessions,
    private readonly reach: AgentReach,
    private readonly nodes: OtherNodes,
    node: ThisNode,
    timings: Timings,
    metrics: LiveMetrics,
  ) {
    this.sweep = new Sweep({
      interval: () => timings.agents,
      isNeeded: () => feed.sockets().length > 0,
      run: () => this.run(),
      onError: (err, isFirst) => {
        metrics.agentSweepErrors.add();
        if (isFirst) this.logger.warn({ err }, 'what agents were sent could not be compared');
      },
    });
    feed.onConnected(() => this.sweep.schedule());
    nodes.onChange(() => this.hurry());
    node.onNodeLost(() => this.hurry());
  }

  onModuleDestroy(): void {
    this.sweep.stop();
    this.staleTurns.stop();
  }

  private hurry(): void {
    if (this.sweep.isStopped) return;
    this.staleTurns.add(this.feed.sockets());
    this.sweep.trigger();
  }

  private async run(): Promise<void> {
    this.reach.announce();
    this.viewers.announce();
    if (this.nodes.isDisconnected) this.staleTurns.add(this.feed.sockets());
    await this.compare();
  }

  private async compare(): Promise<void> {
    if (this.feed.sockets().length === 0) return;
    await this.sessions.compare();
    await this.people.compare();
    await this.offers.compare();
    for (const { organizationId, id } of await this.chats.compare()) this.rows.touch(organizationId, { chatId: id });
  }
}
