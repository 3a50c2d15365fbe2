import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import type { AgentIdentity } from '../auth/agents/agent-sessions.queries.js';
import type { AgentSessionEnded } from '../auth/context/auth.events.js';
import { Config } from '../platform/config/config.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { invalid } from '../platform/errors/problem.js';
import { AddressGuard } from '../platform/outbound/address-guard.js';
import { deriveKeys, type Keys, seal, sha256, unseal } from '../platform/lib/secrets.js';
import { SUBSCRIPTIONS_PURPOSE } from '../platform/database/key/reseal.queries.js';
import { findAuthFault, findP256dhFault } from './browser-keys.js';
import { PushRecipients } from './push-recipients.js';
import { type PushSettings, type PushSettingsChange, withPushDefaults } from './push-settings.js';
import {
  changeSettings,
  findSettings,
  putSubscription,
  removeOfSessions,
  removeOwnSubscription,
} from './subscriptions.queries.js';
import { VapidKeys } from './vapid-keys.service.js';

/** The most subscriptions of an agent. The newest ones stay. */
const MAX_OF_AGENT = 10;

/** A subscription as a browser makes it. */
export interface BrowserSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** The subscriptions and settings of agents for push notifications (CONTRACT: Push). */
@Injectable()
export class SubscriptionsService {
  private readonly sealKeys: Keys;

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly addresses: AddressGuard,
    private readonly keys: VapidKeys,
    private readonly recipients: PushRecipients,
    config: Config,
  ) {
    this.sealKeys = deriveKeys(config, SUBSCRIPTIONS_PURPOSE);
  }

  /** The key to subscribe with, and what the agent has set. */
  async get(agent: AgentIdentity): Promise<PushSettings & { publicKey: string }> {
    const [publicKey, settings] = await Promise.all([this.keys.current(), findSettings(this.pool, agent)]);
    return { publicKey, ...withPushDefaults(settings) };
  }

  /** Changes what's given, on all devices of the agent. */
  async change(agent: AgentIdentity, change: PushSettingsChange): Promise<PushSettings & { publicKey: string }> {
    await changeSettings(this.pool, agent, change);
    return this.get(agent);
  }

  /**
   * Stores the subscription of a browser until the session ends. If another agent of the organization had the endpoint, it's this agent's
   * from now on, because they use the same browser.
   * @throws Problem validation_failed
   */
  async put(agent: AgentIdentity, { endpoint, keys }: BrowserSubscription, language: string): Promise<void> {
    const address = URL.canParse(endpoint) ? this.addresses.findFault(new URL(endpoint)) : 'must be a URL';
    if (address !== null) throw invalid('/endpoint', address);
    const p256dh = findP256dhFault(keys.p256dh);
    if (p256dh !== null) throw invalid('/keys/p256dh', p256dh);
    const auth = findAuthFault(keys.auth);
    if (auth !== null) throw invalid('/keys/auth', auth);
    const id = idOf(endpoint);
    const secret = JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } });
    const sealed = seal(this.sealKeys, `${agent.organizationId}/${id}`, secret);
    const row = { id, sessionId: agent.sessionId, sealed, publicKey: await this.keys.current(), language };
    const limits = { max: MAX_OF_AGENT, now: new Date() };
    await transaction(this.manager, (tx) => putSubscription(tx, agent, row, limits));
    this.recipients.announce(agent.organizationId);
  }

  /** Ends the agent's subscription; other agents' subscriptions stay as they are. */
  async remove(agent: AgentIdentity, endpoint: string): Promise<void> {
    await removeOwnSubscription(this.pool, agent, idOf(endpoint));
  }

  /** @throws SealError if it was sealed with another SECRET_KEY */
  open(organizationId: string, id: string, sealed: Buffer): BrowserSubscription {
    return JSON.parse(unseal(this.sealKeys, `${organizationId}/${id}`, sealed)) as BrowserSubscription;
  }

  // A hint that's lost does no harm: each attempt checks the session.
  @OnDomainEvent('agentSession.ended')
  onSessionEnded({ organizationId, agentId, sessionIds }: AgentSessionEnded): Promise<void> {
    return removeOfSessions(this.pool, { organizationId, agentId }, sessionIds);
  }
}

function idOf(endpoint: string): string {
  return sha256(endpoint).toString('base64url');
}
