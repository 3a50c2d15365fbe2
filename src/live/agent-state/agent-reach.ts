import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ALL_NODES, OtherNodes } from '../../platform/cluster/other-nodes.js';
import { AgentFeed, agentsChannel } from './agent-feed.js';
import { Timings } from '../feeds/timings.js';

/** A chat that changed, as nodes tell each other. */
export interface ChatHint {
  chatId: string;
  /** Whether it has a new message and no other change. */
  isMessage?: true;
  /** The groups it left, if any. */
  leftGroupIds?: readonly string[];
}

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** Agents of these organizations are connected to the node that sends it. */
    'agents.connected': { organizationIds: string[] };
    /** A node begins, and wants to know where agents are. */
    'agents.asked': object;
    'agents.chats': { organizationId: string; hints: ChatHint[] };
  }
}

/** What two hints of a chat say together. Of several groups that it left, a socket may have seen it in any. */
export function together(before: ChatHint | null | undefined, hint: ChatHint): ChatHint {
  if (!before || before.isMessage) return hint;
  if (hint.isMessage || !hint.leftGroupIds) return before;
  return { chatId: hint.chatId, leftGroupIds: [...new Set([...(before.leftGroupIds ?? []), ...hint.leftGroupIds])] };
}

/** Milliseconds in which hints of an organization are collected before they are published together. */
const COLLECT = 20;
/** How long other nodes are believed to have agents of an organization, as a multiple of the pause between announcements. */
const PATIENCE = 3;

/**
 * Knows for which organizations agents are connected anywhere, so that nothing is read or published for the others. Nodes
 * announce it to each other; what is missed while a node does not know it is found by the comparison with the database.
 */
@Injectable()
export class AgentReach implements OnModuleDestroy {
  private readonly elsewhere = new Map<string, number>();
  private readonly here = new Set<string>();
  private readonly pending = new Map<string, Map<string, ChatHint>>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly feed: AgentFeed,
    private readonly nodes: OtherNodes,
    private readonly timings: Timings,
  ) {
    feed.onOrganizationLeft((organizationId) => this.here.delete(organizationId));
    nodes.on('agents.connected', ({ organizationIds }) => this.hear(organizationIds));
    nodes.on('agents.asked', () => this.announce());
    nodes.onChange(() => this.ask());
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  /** Whether an agent of the organization is connected to any node. */
  isAnywhere(organizationId: string): boolean {
    return this.feed.hasOrganization(organizationId) || this.isElsewhere(organizationId);
  }

  /** The organizations with agents on this node. */
  get organizations(): string[] {
    return [...this.here];
  }

  /** To be called when an agent connects to this node. */
  enter(organizationId: string): void {
    if (this.here.has(organizationId)) return;
    this.here.add(organizationId);
    this.announce([organizationId]);
  }

  /** Tells other nodes where agents are. To be called at intervals. */
  announce(organizationIds = this.organizations): void {
    if (organizationIds.length > 0) this.nodes.publish(ALL_NODES, 'agents.connected', { organizationIds });
  }

  /** Tells other nodes that have agents of the organization about a chat. */
  hint(organizationId: string, hint: ChatHint): void {
    if (!this.isElsewhere(organizationId)) return;
    const hints = this.pending.get(organizationId) ?? new Map<string, ChatHint>();
    hints.set(hint.chatId, together(hints.get(hint.chatId), hint));
    this.pending.set(organizationId, hints);
    this.timer ??= setTimeout(() => this.publish(), COLLECT).unref();
  }

  private isElsewhere(organizationId: string): boolean {
    const until = this.elsewhere.get(organizationId);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.elsewhere.delete(organizationId);
    return false;
  }

  private hear(organizationIds: readonly string[]): void {
    const until = performance.now() + PATIENCE * this.timings.agents;
    for (const organizationId of organizationIds) this.elsewhere.set(organizationId, until);
  }

  private ask(): void {
    if (this.nodes.isDisconnected) return;
    this.nodes.publish(ALL_NODES, 'agents.asked', {});
    this.announce();
  }

  private publish(): void {
    this.timer = undefined;
    for (const [organizationId, hints] of this.pending) {
      const fact = { organizationId, hints: [...hints.values()] };
      this.nodes.publish(agentsChannel(organizationId), 'agents.chats', fact);
    }
    this.pending.clear();
  }
}
