import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { DirectoryService } from './directory.service.js';
import {
  findFailingWebhooks,
  findMailsToCheck,
  findSilentBots,
  findUnsentMails,
  type Trouble,
} from './health.queries.js';

/** How long an answer counts, in milliseconds. */
const KEPT_FOR_MS = 2_000;

/** What keeps visitors from getting answers, for administrators (CONTRACT: Admin API). */
@Injectable()
export class HealthService {
  /** By organization: answers that count, and questions that run. */
  private readonly kept = new Map<string, Promise<Trouble[]>>();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly directory: DirectoryService,
  ) {}

  /** Exact to 2 s. However many ask, the database is asked once in that time. */
  list(organizationId: string): Promise<Trouble[]> {
    const kept = this.kept.get(organizationId);
    if (kept) return kept;
    const asked = this.find(organizationId);
    this.kept.set(organizationId, asked);
    const forget = () => void this.kept.delete(organizationId);
    asked.then(() => setTimeout(forget, KEPT_FOR_MS).unref(), forget);
    return asked;
  }

  // One after the other: each takes a connection.
  private async find(organizationId: string): Promise<Trouble[]> {
    const now = new Date();
    const webhooks = await findFailingWebhooks(this.pool, organizationId, now);
    const bots = await findSilentBots(this.pool, organizationId, now);
    const mails = await findUnsentMails(this.pool, organizationId, now);
    const toCheck = await findMailsToCheck(this.pool, organizationId);
    return [...webhooks, ...firstOfEach(bots), ...(await this.findUnstaffed(organizationId)), ...mails, ...toCheck];
  }

  /** The groups where chats wait within office hours, and no member is online. */
  private async findUnstaffed(organizationId: string): Promise<Trouble[]> {
    const groups = await this.directory.listGroups(organizationId);
    return groups
      .filter(({ isOpen, waitingChats, onlineAgents }) => isOpen && waitingChats > 0 && onlineAgents === 0)
      .map(({ id, name, waitingChats }) => ({ kind: 'nobody_online', id, name, since: null, count: waitingChats }));
  }
}

/** A silent bot once, with its chats if it has any. Chats that any bot could take don't add a bot to the ones that are known to be silent. */
function firstOfEach(bots: readonly Trouble[]): Trouble[] {
  const sorted = bots.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0));
  const once = sorted.filter(
    ({ kind, id }, at) => sorted.findIndex((one) => one.kind === kind && one.id === id) === at,
  );
  const isKnown = once.some(({ kind, id }) => kind === 'bot_silent' && id !== null);
  return isKnown ? once.filter(({ kind, id }) => kind !== 'bot_silent' || id !== null) : once;
}
