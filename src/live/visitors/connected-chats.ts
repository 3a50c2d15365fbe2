import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { VisitorFeed } from '../feeds/visitor-feed.js';
import { findConnected } from './connected-chats.queries.js';

interface SentConnection {
  organizationId: string;
  /** Null: it's being read. */
  isConnected: boolean | null;
  /** The newest refresh that read it: an earlier one, which ends later, changes nothing. */
  refresh: number;
}

/**
 * Whether an endpoint answers in the chats that visitors have open on this node, as their sockets know it. It's read when a chat is opened,
 * and again, for all of an organization's chats in one statement, when that may have changed.
 */
@Injectable()
export class ConnectedChats {
  private readonly sent = new Map<string, SentConnection>();
  private refreshes = 0;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: VisitorFeed,
  ) {
    feed.onEmptied((chatId) => void this.sent.delete(chatId));
  }

  /** Whether an endpoint answers in a chat while the bots have it. Call this after the visitor's socket has joined the chat. */
  async read(organizationId: string, chatId: string): Promise<boolean> {
    // A change that comes while this reads finds it here.
    const sent: SentConnection = { organizationId, isConnected: null, refresh: 0 };
    if (this.feed.hasChat(chatId)) this.sent.set(chatId, sent);
    const isConnected = (await findConnected(this.pool, organizationId, [chatId])).get(chatId) ?? false;
    return (sent.isConnected ??= isConnected);
  }

  /** What the sockets of a chat know; undefined if nothing is known. */
  get(chatId: string): boolean | undefined {
    return this.sent.get(chatId)?.isConnected ?? undefined;
  }

  /** Reads the chats of an organization again, or one of them. Returns those where it has changed. */
  async refresh(organizationId: string, chatId?: string): Promise<string[]> {
    const ids = chatId === undefined ? [...this.sent.keys()] : [chatId];
    const own = ids.filter((id) => this.sent.get(id)?.organizationId === organizationId);
    if (own.length === 0) return [];
    const refresh = ++this.refreshes;
    const found = await findConnected(this.pool, organizationId, own);
    return own.filter((id) => {
      const [sent, isConnected] = [this.sent.get(id), found.get(id)];
      if (!sent || isConnected === undefined || sent.refresh > refresh) return false;
      sent.refresh = refresh;
      if (sent.isConnected === isConnected) return false;
      sent.isConnected = isConnected;
      return true;
    });
  }
}
