import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { AgentKey } from '../../agents/presence.queries.js';
import type { ChatOfferEnded, ChatOfferMade } from '../../chats/model/chats.events.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { POOL } from '../../platform/database/pool.js';
import { AgentFeed } from '../agent-state/agent-feed.js';
import { findOffers } from './agent-offers.queries.js';

/**
 * The offers that agents of this node were sent. `reconcile` sends offers whose event was lost, because a node died after its
 * commit or couldn't reach this one. So an offer may be sent twice, with the same id.
 */
@Injectable()
export class AgentOffers {
  /** The agents of the offers that were sent and are pending. */
  private readonly sent = new Map<string, AgentKey>();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: AgentFeed,
    private readonly inbox: InboxService,
  ) {}

  /** Sends an offer, unless it has ended. */
  async send({ organizationId, offerId, chatId, agentId, expiresAt }: ChatOfferMade): Promise<void> {
    if (this.feed.socketsOfAgent(agentId).length === 0) return;
    this.sent.set(offerId, { organizationId, agentId });
    const [chat] = await this.inbox.findRows(organizationId, [chatId]).catch((error: unknown) => {
      this.sent.delete(offerId);
      throw error;
    });
    // Its end may have been sent while the row was read.
    if (chat?.offer?.agentId !== agentId || !this.sent.has(offerId)) return void this.sent.delete(offerId);
    // A time from another node is a string.
    this.feed.sendOffer(agentId, { id: offerId, chat, expiresAt: new Date(expiresAt).toISOString() });
  }

  sendEnd({ offerId, agentId, reason }: Pick<ChatOfferEnded, 'offerId' | 'agentId' | 'reason'>): void {
    this.sent.delete(offerId);
    this.feed.sendOfferEnd(agentId, { id: offerId, reason });
  }

  /** Compares with the database, and sends the offers and the ends whose events were lost. */
  async reconcile(): Promise<void> {
    for (const [offerId, { agentId }] of this.sent)
      if (this.feed.socketsOfAgent(agentId).length === 0) this.sent.delete(offerId);
    const known = new Map(this.sent);
    const agents = new Map(this.feed.sockets().map(({ data }) => [data.agent.agentId, data.agent]));
    const failures = new Map<number, Error>();
    const asked = [...agents.values()];
    const found = await findOffers(this.pool, asked, known, failures);
    const unread = new Set(Array.from(failures.keys(), (place) => asked[place]!.organizationId));
    for (const offer of found) {
      if (offer.reason === null && !this.sent.has(offer.offerId) && !known.has(offer.offerId)) await this.send(offer);
      else if (offer.reason !== null && this.sent.has(offer.offerId)) this.sendEnd({ ...offer, reason: offer.reason });
    }
    // Erasing a chat removes its offer's row.
    const ids = new Set(found.map(({ offerId }) => offerId));
    for (const [offerId, { organizationId, agentId }] of known)
      if (!ids.has(offerId) && !unread.has(organizationId) && this.sent.has(offerId))
        this.sendEnd({ offerId, agentId, reason: 'WITHDRAWN' });
  }
}
