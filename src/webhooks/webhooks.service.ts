import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { laneOf } from '../receivers/lane.js';
import type { SenderType } from '../messages/message.js';
import type { EventType } from '../receivers/event-type.js';
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
import { WebhookSecrets } from './webhook-secrets.js';
import { removeReceiver } from '../receivers/receivers.queries.js';
import {
  changeWebhook,
  countWebhooks,
  findSecrets,
  findWebhook,
  healWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  replaceSecret,
  type WebhookRow,
} from './webhooks.queries.js';
import './webhooks.events.js';
import type { AttemptResult } from '../platform/outbound/attempt.js';
import { WebhookSender } from './sender.js';

/** The most webhooks of an organization. Each costs a row for every message that matches it. */
const MAX_WEBHOOKS = 50;
/** The most deliveries that one statement changes. */
const BATCH = 1_000;
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
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
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
    hooks: ChangeHooks<WebhookRow> = NO_HOOKS,
  ): Promise<{ row: WebhookRow; secret: string }> {
    this.checkUrl(body.url);
    const id = newId('whk');
    const { secret, sealed } = this.secrets.make(organizationId, id);
    const row: WebhookRow = {
      organizationId,
      id,
      url: body.url,
      events: body.events ?? null,
      senderTypes: body.senderTypes ?? null,
      isEnabled: body.isEnabled ?? true,
      disabledReason: null,
      previousSecretExpiresAt: null,
      createdAt: new Date(),
    };
    await transaction(this.manager, async (tx) => {
      await this.organizations.lock(tx, organizationId);
      if ((await countWebhooks(tx, organizationId)) >= MAX_WEBHOOKS) {
        throw new Problem('conflict', `An organization can have at most ${MAX_WEBHOOKS} webhooks; delete one first`);
      }
      await insertWebhook(tx, row, sealed);
      await hooks.record(tx, null, row);
    });
    return { row, secret };
  }

  async list<T>(
    organizationId: string,
    { limit, cursor = '' }: PageQuery,
    map: (row: WebhookRow) => T,
  ): Promise<Page<T>> {
    return toPage(await listWebhooks(this.manager, organizationId, cursor, limit + 1), limit, map);
  }

  async get(organizationId: string, id: string): Promise<WebhookRow> {
    return (await findWebhook(this.manager, organizationId, id)) ?? notFound('Webhook');
  }

  /**
   * Changes the given fields. A new URL, or enabling the webhook, resets its failures and makes its waiting retries due immediately.
   */
  async update(
    organizationId: string,
    id: string,
    { url, events, senderTypes, isEnabled }: WebhookChange,
    hooks: ChangeHooks<WebhookRow> = NO_HOOKS,
  ): Promise<WebhookRow> {
    if (url !== undefined) this.checkUrl(url);
    const given = { url, events, senderTypes, isEnabled, ...(isEnabled !== undefined && { disabledReason: null }) };
    const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const isHealed = url !== undefined || isEnabled === true;
    const webhook = await transaction(this.manager, async (tx) => {
      const before = await this.lock(tx, organizationId, id);
      hooks.before(before);
      const after = { ...before, ...change };
      await changeWebhook(tx, after);
      if (isHealed) await healWebhook(tx, organizationId, id);
      await hooks.record(tx, before, after);
      return after;
    });
    this.dispatcher.refresh(laneOf(organizationId, id));
    if (isHealed) await this.retryNow(organizationId, id);
    return webhook;
  }

  /** Deletes a webhook with its waiting deliveries. */
  async delete(organizationId: string, id: string, hooks: ChangeHooks<WebhookRow> = NO_HOOKS): Promise<void> {
    await transaction(this.manager, async (tx) => {
      const webhook = await this.lock(tx, organizationId, id);
      await removeReceiver(tx, organizationId, id);
      await hooks.record(tx, webhook, null);
    });
    this.dispatcher.refresh(laneOf(organizationId, id));
    this.events.emit('webhook.deleted', { organizationId, webhookId: id });
  }

  /** Creates a new secret; the previous one also signs for 24 h. @param alongside work in the same transaction */
  async rotateSecret(
    organizationId: string,
    id: string,
    alongside: (tx: EntityManager, webhook: WebhookRow) => Promise<void>,
  ): Promise<{ secret: string }> {
    const { secret, sealed } = this.secrets.make(organizationId, id);
    const until = new Date(Date.now() + ROTATION_OVERLAP_MS);
    await transaction(this.manager, async (tx) => {
      const webhook = await this.lock(tx, organizationId, id);
      await replaceSecret(tx, webhook, sealed, until);
      await alongside(tx, webhook);
    });
    this.dispatcher.refresh(laneOf(organizationId, id));
    return { secret };
  }

  /** Sends a signed test event now, even to a disabled webhook, and returns the result. The event isn't stored. */
  async ping(organizationId: string, id: string, traceparent: string | null): Promise<AttemptResult> {
    const row = await findSecrets(this.manager, organizationId, id);
    const { url, secret, previousSecret, previousSecretExpiresAt } = row ?? notFound('Webhook');
    const isRotating = previousSecretExpiresAt !== null && previousSecretExpiresAt > new Date();
    const keys = this.secrets.open(`${organizationId}/${id}`, secret, isRotating ? previousSecret : null);
    const event = { id: newId('evt'), type: 'ping', timestamp: new Date(), organizationId, data: { webhookId: id } };
    return this.sender.send({ url, keys }, event.id, JSON.stringify(event), traceparent);
  }

  private async lock(tx: EntityManager, organizationId: string, id: string): Promise<WebhookRow> {
    return (await lockWebhook(tx, organizationId, id)) ?? notFound('Webhook');
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
