import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { type EntityManager, IsNull, MoreThan, type Repository } from 'typeorm';
import { laneOf } from '../outbox/lane.js';
import type { SenderType } from '../messages/message.js';
import type { EventType } from '../outbox/event-type.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { invalid, notFound, Problem } from '../platform/errors/problem.js';
import { type ChangeHooks, NO_HOOKS } from '../platform/database/change-hooks.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { AddressGuard } from '../platform/outbound/address-guard.js';
import { makeRetriesDue } from './deliveries.queries.js';
import { WebhookDispatcher } from './dispatcher.js';
import { WebhookLane } from './webhook-lane.entity.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { Webhook } from './webhook.entity.js';
import './webhooks.events.js';
import type { AttemptResult } from '../platform/outbound/attempt.js';
import { WebhookSender } from './sender.js';

/** The most webhooks of an organization. Each costs a row for every message that matches it. */
const MAX_WEBHOOKS = 50;
/** The most deliveries that one statement changes. */
const BATCH = 1_000;
/** Excludes the subscriptions and connections of bots, which share the table. */
const IS_SENT = { botId: IsNull() };
/** How long the previous secret also signs after a rotation, in milliseconds. */
const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1000;

export interface NewWebhook {
  url: string;
  /** The event types; omitted: all. */
  events?: EventType[];
  /** The senders whose `message.created` is sent; omitted: all. */
  senderTypes?: SenderType[];
  isEnabled?: boolean;
}

export type WebhookChange = Partial<NewWebhook>;

/** Webhooks of an organization (CONTRACT: Webhooks and CONTRACT: Admin API). */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    @Inject(POOL) private readonly pool: Pool,
    private readonly organizations: OrganizationsService,
    private readonly addresses: AddressGuard,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly dispatcher: WebhookDispatcher,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Creates a webhook. Its secret can't be shown again.
   * @throws Problem validation_failed for a URL that isn't allowed; conflict beyond 50 webhooks
   */
  async create(
    organizationId: string,
    body: NewWebhook,
    hooks: ChangeHooks<Webhook> = NO_HOOKS,
  ): Promise<{ row: Webhook; secret: string }> {
    this.checkUrl(body.url);
    const id = newId('whk');
    const { secret, sealed } = this.secrets.make(organizationId, id);
    const row = {
      organizationId,
      id,
      url: body.url,
      events: body.events ?? null,
      senderTypes: body.senderTypes ?? null,
      isEnabled: body.isEnabled ?? true,
      disabledReason: null,
      secret: sealed,
      previousSecret: null,
      previousSecretExpiresAt: null,
      createdAt: new Date(),
      botId: null,
      isConnection: false,
    };
    await transaction(this.webhooks.manager, async (tx) => {
      await this.organizations.lock(tx, organizationId);
      if ((await tx.countBy(Webhook, { organizationId, ...IS_SENT })) >= MAX_WEBHOOKS) {
        throw new Problem('conflict', `An organization can have at most ${MAX_WEBHOOKS} webhooks; delete one first`);
      }
      await tx.insert(Webhook, row);
      await tx.insert(WebhookLane, { organizationId, webhookId: row.id });
      await hooks.record(tx, null, row);
    });
    return { row, secret };
  }

  async list<T>(organizationId: string, { limit, cursor = '' }: PageQuery, map: (row: Webhook) => T): Promise<Page<T>> {
    const where = { organizationId, id: MoreThan(cursor), ...IS_SENT };
    return toPage(await this.webhooks.find({ where, order: { id: 'ASC' }, take: limit + 1 }), limit, map);
  }

  async get(organizationId: string, id: string): Promise<Webhook> {
    return (await this.webhooks.findOneBy({ organizationId, id, ...IS_SENT })) ?? notFound('Webhook');
  }

  /**
   * Changes the given fields. A new URL, or enabling the webhook, resets its failures and makes its waiting retries due immediately.
   */
  async update(
    organizationId: string,
    id: string,
    { url, events, senderTypes, isEnabled }: WebhookChange,
    hooks: ChangeHooks<Webhook> = NO_HOOKS,
  ): Promise<Webhook> {
    if (url !== undefined) this.checkUrl(url);
    const given = { url, events, senderTypes, isEnabled, ...(isEnabled !== undefined && { disabledReason: null }) };
    const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const isHealed = url !== undefined || isEnabled === true;
    const webhook = await transaction(this.webhooks.manager, async (tx) => {
      const before = await this.lock(tx, organizationId, id);
      hooks.before(before);
      if (Object.keys(change).length > 0) await tx.update(Webhook, { organizationId, id }, change);
      const healthy = { failingSince: null, pausedUntil: null };
      if (isHealed) await tx.update(WebhookLane, { organizationId, webhookId: id }, healthy);
      const after = { ...before, ...change };
      await hooks.record(tx, before, after);
      return after;
    });
    this.dispatcher.refresh(laneOf(organizationId, id));
    if (isHealed) await this.retryNow(organizationId, id);
    return webhook;
  }

  /** Deletes a webhook with its waiting deliveries. */
  async delete(organizationId: string, id: string, hooks: ChangeHooks<Webhook> = NO_HOOKS): Promise<void> {
    await transaction(this.webhooks.manager, async (tx) => {
      const webhook = await this.lock(tx, organizationId, id);
      await tx.delete(Webhook, { organizationId, id });
      await hooks.record(tx, webhook, null);
    });
    this.dispatcher.refresh(laneOf(organizationId, id));
    this.events.emit('webhook.deleted', { organizationId, webhookId: id });
  }

  /** Creates a new secret; the previous one also signs for 24 h. @param alongside work in the same transaction */
  async rotateSecret(
    organizationId: string,
    id: string,
    alongside: (tx: EntityManager, webhook: Webhook) => Promise<void>,
  ): Promise<{ secret: string }> {
    const { secret, sealed } = this.secrets.make(organizationId, id);
    const previousSecretExpiresAt = new Date(Date.now() + ROTATION_OVERLAP_MS);
    const change = { secret: sealed, previousSecret: () => 'secret', previousSecretExpiresAt };
    await transaction(this.webhooks.manager, async (tx) => {
      const webhook = await this.lock(tx, organizationId, id);
      await tx.update(Webhook, { organizationId, id }, change);
      await alongside(tx, webhook);
    });
    this.dispatcher.refresh(laneOf(organizationId, id));
    return { secret };
  }

  /** Sends a signed test event now, even to a disabled webhook, and returns the result. The event isn't stored. */
  async ping(organizationId: string, id: string, traceparent: string | null): Promise<AttemptResult> {
    const select = { url: true, secret: true, previousSecret: true, previousSecretExpiresAt: true };
    const row = await this.webhooks.findOne({ where: { organizationId, id, ...IS_SENT }, select });
    const { url, secret, previousSecret, previousSecretExpiresAt } = row ?? notFound('Webhook');
    const isRotating = previousSecretExpiresAt !== null && previousSecretExpiresAt > new Date();
    const keys = this.secrets.open(`${organizationId}/${id}`, secret, isRotating ? previousSecret : null);
    const event = { id: newId('evt'), type: 'ping', timestamp: new Date(), organizationId, data: { webhookId: id } };
    return this.sender.send({ url, keys }, event.id, JSON.stringify(event), traceparent);
  }

  private async lock(tx: EntityManager, organizationId: string, id: string): Promise<Webhook> {
    const where = { organizationId, id, ...IS_SENT };
    return (await tx.findOne(Webhook, { where, lock: { mode: 'for_no_key_update' } })) ?? notFound('Webhook');
  }

  private async retryNow(organizationId: string, id: string): Promise<void> {
    while ((await makeRetriesDue(this.pool, organizationId, id, BATCH)) === BATCH);
    this.dispatcher.wake([laneOf(organizationId, id)]);
  }

  private checkUrl(text: string): void {
    const fault = URL.canParse(text) ? this.addresses.findFault(new URL(text)) : 'must be a URL';
    if (fault) throw invalid('/url', fault);
  }
}
