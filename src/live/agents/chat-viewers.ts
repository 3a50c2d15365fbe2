import { Injectable } from '@nestjs/common';
import type { Named } from '../../chats/reading/chat-state.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { ThisNode } from '../../platform/cluster/this-node.js';
import { AgentFeed, agentsChannel } from '../agent-state/agent-feed.js';
import { Timings } from '../feeds/timings.js';

/** How long another node's viewers count, as a multiple of the time between its announcements. */
const EXPIRES_AFTER_INTERVALS = 3;

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** The agents who follow a chat with the sockets of a node. */
    'chat.viewed': { nodeId: string; chatId: string; agents: Named[] };
  }
}

interface RemoteViewers {
  agents: Named[];
  until: number;
}

/** The agents who have a chat open now, because one of their sockets follows it, on any node. */
@Injectable()
export class ChatViewers {
  /** By chat, then by node. */
  private readonly remote = new Map<string, Map<string, RemoteViewers>>();

  constructor(
    private readonly feed: AgentFeed,
    private readonly nodes: OtherNodes,
    private readonly node: ThisNode,
    private readonly timings: Timings,
  ) {
    nodes.on('chat.viewed', ({ nodeId, chatId, agents }) => this.setRemote(nodeId, chatId, agents));
  }

  /** The viewers of a chat, by id. */
  of(chatId: string): Named[] {
    const remote = [...(this.remote.get(chatId)?.values() ?? [])].flatMap(({ agents }) => agents);
    const all = new Map([...this.local(chatId), ...remote].map((agent) => [agent.id, agent]));
    return [...all.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Sends the viewers to the chat's listeners on every node, after a socket of this node started or stopped following it. */
  update(organizationId: string, chatId: string): void {
    this.feed.sendViewers(chatId, this.of(chatId));
    this.publish(organizationId, chatId);
  }

  /** Publishes this node's viewers again, and forgets the viewers of nodes that stopped doing so. Called at intervals. */
  announce(): void {
    const now = performance.now();
    for (const [chatId, byNode] of this.remote) {
      for (const [nodeId, { until }] of byNode) if (until < now) this.setRemote(nodeId, chatId, []);
    }
    const followed = new Map<string, string>();
    for (const { data } of this.feed.sockets()) {
      for (const chatId of data.followed) followed.set(chatId, data.agent.organizationId);
    }
    for (const [chatId, organizationId] of followed) this.publish(organizationId, chatId);
  }

  private local(chatId: string): Named[] {
    const sockets = this.feed.listenersOf(chatId).filter(({ data }) => data.followed.has(chatId));
    return sockets.map(({ data: { agent } }) => ({ id: agent.agentId, name: agent.name }));
  }

  private publish(organizationId: string, chatId: string): void {
    const fact = { nodeId: this.node.id, chatId, agents: this.local(chatId) };
    this.nodes.publish(agentsChannel(organizationId), 'chat.viewed', fact);
  }

  private setRemote(nodeId: string, chatId: string, agents: Named[]): void {
    const before = JSON.stringify(this.of(chatId));
    const byNode = this.remote.get(chatId) ?? new Map<string, RemoteViewers>();
    const until = performance.now() + EXPIRES_AFTER_INTERVALS * this.timings.agents;
    if (agents.length > 0) byNode.set(nodeId, { agents, until });
    else byNode.delete(nodeId);
    if (byNode.size > 0) this.remote.set(chatId, byNode);
    else this.remote.delete(chatId);
    const after = this.of(chatId);
    if (JSON.stringify(after) !== before) this.feed.sendViewers(chatId, after);
  }
}
