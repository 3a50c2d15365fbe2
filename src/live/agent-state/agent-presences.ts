import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { AgentPresence } from '../../agents/presence.queries.js';
import { AgentFeed } from './agent-feed.js';

/** The shortest and the longest time that an organization's presences are collected, in milliseconds. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;
/** The most packets that are written before the event loop runs other work. */
const MAX_PACKETS = 1_000;

interface Waiting {
  presence: AgentPresence;
  /** In milliseconds of `performance.now()`. Sockets that join later read the presence instead. */
  since: number;
}

/**
 * Sends each agent's latest presence to colleagues. When a thousand agents connect together, a million packets are due. So the
 * more colleagues listen, the longer presences are collected: a socket's packets of one moment cost one write.
 */
@Injectable()
export class AgentPresences implements OnModuleDestroy {
  /** By organization and agent. */
  private readonly waiting = new Map<string, Map<string, Waiting>>();
  private isStopped = false;

  constructor(private readonly feed: AgentFeed) {}

  onModuleDestroy(): void {
    this.isStopped = true;
  }

  send(organizationId: string, presence: AgentPresence): void {
    const entry = { presence, since: performance.now() };
    const known = this.waiting.get(organizationId);
    if (known) return void known.set(presence.agentId, entry);
    this.waiting.set(organizationId, new Map([[presence.agentId, entry]]));
    const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, this.feed.countOf(organizationId)));
    setTimeout(() => void this.flush(organizationId), pause).unref();
  }

  private async flush(organizationId: string): Promise<void> {
    const entries = [...(this.waiting.get(organizationId)?.values() ?? [])];
    this.waiting.delete(organizationId);
    const sockets = this.feed.socketsOf(organizationId);
    const step = Math.max(1, Math.floor(MAX_PACKETS / entries.length));
    for (let from = 0; from < sockets.length && !this.isStopped; from += step) {
      if (from > 0) await setImmediate();
      const part = sockets.slice(from, from + step);
      for (const { presence, since } of entries) {
        const listeners = part.filter(({ data }) => data.joinedAt <= since);
        this.feed.sendPresence(
          listeners.map(({ id }) => id),
          presence,
        );
      }
    }
  }
}
