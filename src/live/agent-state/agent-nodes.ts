import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ALL_NODES, OtherNodes } from '../../platform/cluster/other-nodes.js';
import { AgentFeed, agentsChannel } from './agent-feed.js';
import { Timings } from '../feeds/timings.js';

/** A chat that changed, as nodes notify each other. */
export interface ChatHint {
  chatId: string;
  /** The only change is a new message. */
  isMessage?: true;
  /** The groups that the chat left. */
  leftGroupIds?: readonly string[];
}

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** Agents of these organizations are connected to the sending node. */
    'agents.connected': { organizationIds: string[] };
    /** A node that starts asks the others to announce their agents. */
    'agents.asked': object;
    'agents.chats': { organizationId: string; hints: ChatHint[] };
  }
}

/** Merges two hints about a chat. They keep every group that it left: a socket may have seen it in any of them. */
export function mergeHints(before: ChatHint | null | undefined, hint: ChatHint): ChatHint {
  if (!before || before.isMessage) return hint;
  if (hint.isMessage || !hint.leftGroupIds) return before;
  return { chatId: hint.chatId, leftGroupIds: [...new Set([...(before.leftGroupIds ?? []), ...hint.leftGroupIds])] };
}

/** How long hints are collected before they are published together, in milliseconds. */
const COLLECT_MS = 20;
/** How long another node's announcement counts, as a multiple of the time between announcements. */
const EXPIRES_AFTER_INTERVALS = 3;

/**
 * Knows which organizations have connected agents, on this node or another, so that nothing is read or published for the rest.
 * Nodes announce it to each other. The reconciler finds what a node misses before it receives an announcement.
 */
@Injectable()
export class AgentNodes implements OnModuleDestroy {
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
    nodes.on('agents.connected', ({ organizationIds }) => this.setElsewhere(organizationIds));
    nodes.on('agents.asked', () => this.announce());
    nodes.onChange(() => this.askOthers());
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  /** Whether the organization has an agent connected to any node. */
  isAnywhere(organizationId: string): boolean {
    return this.feed.hasOrganization(organizationId) || this.isElsewhere(organizationId);
  }

  /** The organizations with agents on this node. */
  get organizations(): string[] {
    return [...this.here];
  }

  /** Notes that an agent of the organization has connected to this node. */
  add(organizationId: string): void {
    if (this.here.has(organizationId)) return;
    this.here.add(organizationId);
    this.announce([organizationId]);
  }

  /** Announces this node's organizations to the other nodes. Called at intervals. */
  announce(organizationIds = this.organizations): void {
    if (organizationIds.length > 0) this.nodes.publish(ALL_NODES, 'agents.connected', { organizationIds });
  }

  /** Notifies the other nodes with agents of the organization about a chat. */
  hint(organizationId: string, hint: ChatHint): void {
    if (!this.isElsewhere(organizationId)) return;
    const hints = this.pending.get(organizationId) ?? new Map<string, ChatHint>();
    hints.set(hint.chatId, mergeHints(hints.get(hint.chatId), hint));
    this.pending.set(organizationId, hints);
    this.timer ??= setTimeout(() => this.publish(), COLLECT_MS).unref();
  }

  private isElsewhere(organizationId: string): boolean {
    const until = this.elsewhere.get(organizationId);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.elsewhere.delete(organizationId);
    return false;
  }

  private setElsewhere(organizationIds: readonly string[]): void {
    const until = performance.now() + EXPIRES_AFTER_INTERVALS * this.timings.agents;
    for (const organizationId of organizationIds) this.elsewhere.set(organizationId, until);
  }

  private askOthers(): void {
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
