import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { findBot } from '../../bots/bots.queries.js';
import { type ChangeHooks, NO_HOOKS } from '../../platform/database/change-hooks.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { afterCommit, transaction } from '../../platform/database/transaction.js';
import { invalid, notFound, Problem } from '../../platform/errors/problem.js';
import { newId } from '../../platform/lib/ids.js';
import { AddressGuard } from '../../platform/outbound/address-guard.js';
import '../../webhooks/webhooks.events.js';
import { makeSecret } from '../../webhooks/webhook-secrets.js';
import './connections.events.js';
import {
  type ConnectionKind,
  type ConnectionSecrets,
  type ConnectionSettings,
  isEndpoint,
  isOfKind,
  isSigned,
  NO_SECRETS,
} from '../model/connection.js';
import type { OpenConnection } from '../model/conversation.js';
import { groupsOf } from '../model/script.js';
import {
  type ConnectionFields,
  HIDDEN_QUERY,
  isOtherOrigin,
  type NewConnection,
  settingsAfter,
  type Target,
  targetAfter,
} from './connection-change.js';
import { toScript } from '../scripts/script-faults.js';
import { ConnectionSecretsBox } from './connection-secrets.js';
import {
  type ConnectionRow,
  findConnection,
  findExistingGroups,
  insertConnection,
  lockConnection,
  markAi,
  removeConnection,
  removeTranscripts,
  updateConnection,
} from './connections.queries.js';

/** Connections of bots to the addresses of endpoints (CONTRACT: Connections). */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly addresses: AddressGuard,
    private readonly box: ConnectionSecretsBox,
    private readonly events: DomainEventBus,
  ) {}

  /** @throws Problem not_found */
  async get(organizationId: string, botId: string): Promise<ConnectionRow> {
    return (await findConnection(this.manager, organizationId, botId)) ?? notFound('Connection');
  }

  /**
   * Creates or replaces the connection of a bot. Settings that aren't given have their default; secrets stay.
   * @returns the secret that signs its requests, if it's new
   * @throws Problem not_found; validation_failed
   */
  async put(
    organizationId: string,
    botId: string,
    body: NewConnection,
    hooks: ChangeHooks<ConnectionRow> = NO_HOOKS,
  ): Promise<{ row: ConnectionRow; secret: string | null }> {
    this.checkTarget(body.kind, body.url);
    let known: string | null = null;
    const row = await this.change(organizationId, botId, async (tx, before) => {
      known = before && this.signingOf(before);
      const row =
        before === null
          ? this.create(organizationId, botId, body)
          : this.replaced({ ...before, kind: body.kind }, body, null);
      if (before !== null) hooks.before(before);
      const stored = await this.store(tx, before, row);
      await hooks.record(tx, before, stored);
      return stored;
    });
    const secret = this.signingOf(row);
    return { row, secret: secret === known ? null : secret };
  }

  /** Connects a new bot to the built-in script, in the transaction that creates the bot. */
  async addScript(
    tx: EntityManager,
    organizationId: string,
    botId: string,
    hooks: ChangeHooks<ConnectionRow>,
  ): Promise<void> {
    const row = await this.store(tx, null, this.create(organizationId, botId, { kind: 'script' }));
    await hooks.record(tx, null, row);
    afterCommit(tx, () => this.events.emit('connection.changed', { organizationId, botId }));
  }

  /** Changes the given fields. @throws Problem not_found; validation_failed */
  update(
    organizationId: string,
    botId: string,
    body: ConnectionFields,
    hooks: ChangeHooks<ConnectionRow> = NO_HOOKS,
  ): Promise<ConnectionRow> {
    if (body.url !== undefined) this.checkAddress(body.url);
    return this.change(organizationId, botId, async (tx, before) => {
      if (before === null) return notFound('Connection');
      hooks.before(before);
      const row = this.replaced(before, { isEnabled: before.isEnabled, ...body }, before.settings);
      const stored = await this.store(tx, before, row);
      await hooks.record(tx, before, stored);
      return stored;
    });
  }

  /** Removes the connection of a bot. Its unfinished turns end as if it had been paused. @throws Problem not_found */
  async delete(organizationId: string, botId: string, hooks: ChangeHooks<ConnectionRow> = NO_HOOKS): Promise<void> {
    const { id } = await transaction(this.manager, async (tx) => {
      const row = (await lockConnection(tx, organizationId, botId)) ?? notFound('Connection');
      await removeConnection(tx, row);
      await hooks.record(tx, row, null);
      return row;
    });
    this.events.emit('webhook.deleted', { organizationId, webhookId: id });
    this.events.emit('connection.changed', { organizationId, botId });
  }

  /**
   * A connection as `put` would store it, with its secrets, so that it can be tried.
   * @param body null: the stored one
   * @throws Problem not_found; validation_failed
   */
  async draft(organizationId: string, botId: string, body: NewConnection | null): Promise<OpenConnection> {
    if (!(await findBot(this.manager, organizationId, botId))) notFound('Bot');
    const before = await findConnection(this.manager, organizationId, botId);
    if (body === null) return this.open(before ?? notFound('Connection')) ?? unreadable();
    this.checkTarget(body.kind, body.url);
    const row =
      before === null
        ? this.create(organizationId, botId, body)
        : this.replaced({ ...before, kind: body.kind }, body, null);
    await checkGroups(this.manager, row);
    return this.open(row) ?? unreadable();
  }

  /** The connection with its secrets. Null for secrets that were sealed under another SECRET_KEY. */
  open(row: ConnectionRow): OpenConnection | null {
    if (!isEndpoint(row.kind)) return { ...row, secrets: NO_SECRETS };
    const secrets = this.box.open(row.organizationId, row.id, row.secrets);
    return secrets && { ...row, secrets };
  }

  private signingOf({ organizationId, id, secrets }: ConnectionRow): string | null {
    return this.box.open(organizationId, id, secrets)?.signing?.secret ?? null;
  }

  private async change(
    organizationId: string,
    botId: string,
    work: (tx: EntityManager, before: ConnectionRow | null) => Promise<ConnectionRow>,
  ): Promise<ConnectionRow> {
    const row = await transaction(this.manager, async (tx) => {
      if (!(await findBot(tx, organizationId, botId))) notFound('Bot');
      return work(tx, await lockConnection(tx, organizationId, botId));
    });
    this.events.emit('connection.changed', { organizationId, botId });
    return row;
  }

  private create(organizationId: string, botId: string, body: NewConnection): ConnectionRow {
    const row = {
      organizationId,
      botId,
      id: newId('con'),
      kind: body.kind,
      createdAt: new Date(),
      lastSuccessAt: null,
      lastFailureAt: null,
      lastFailureCode: null,
      failuresInRow: 0,
    };
    const target = isEndpoint(body.kind) ? targetAfter(null, body) : { url: '', secrets: NO_SECRETS };
    return this.with(row, target, settingsAfter(body.kind, null, body), body.isEnabled ?? true);
  }

  /** @param base what omitted settings are taken from; null: their defaults */
  private replaced(before: ConnectionRow, body: ConnectionFields, base: ConnectionSettings | null): ConnectionRow {
    const settings = settingsAfter(before.kind, base, body);
    const isEnabled = body.isEnabled ?? true;
    if (!isEndpoint(before.kind)) return this.with(before, { url: '', secrets: NO_SECRETS }, settings, isEnabled);
    const secrets = this.box.open(before.organizationId, before.id, before.secrets);
    if (secrets === null) checkUnreadable(before, body);
    if (secrets === null && body.url === undefined && body.key === undefined && body.headers === undefined)
      return { ...before, settings, isEnabled };
    // It was a script, which has no address.
    const known = before.url === '' ? null : { url: before.url, secrets: secrets ?? NO_SECRETS };
    return this.with(before, targetAfter(known, body), settings, isEnabled);
  }

  private with<R extends Pick<ConnectionRow, 'organizationId' | 'id' | 'kind'>>(
    row: R,
    { url, secrets: given }: Target,
    settings: ConnectionSettings,
    isEnabled: boolean,
  ) {
    if (isOfKind(row.kind, 'model') && settings.model === null) throw invalid('/model', 'is required');
    const secrets = secretsOf(row.kind, given);
    return {
      ...row,
      url,
      hasQuery: secrets.query !== '',
      hasKey: secrets.key !== null,
      headerNames: Object.keys(secrets.headers),
      secrets: this.box.seal(row.organizationId, row.id, secrets),
      settings: { ...settings, script: settings.script && toScript(settings.script) },
      isEnabled,
    };
  }

  /** Returns the row as the database has it: the version depends on the order of JSON's names, and the database changes that order. */
  private async store(tx: EntityManager, before: ConnectionRow | null, row: ConnectionRow): Promise<ConnectionRow> {
    await checkGroups(tx, row);
    if (before === null) await insertConnection(tx, row);
    else {
      if (isOtherOrigin(before.url, row.url) || before.kind !== row.kind) await removeTranscripts(tx, row);
      await updateConnection(tx, row);
      if (before.kind !== row.kind) await markAi(tx, row);
    }
    return (await findConnection(tx, row.organizationId, row.botId))!;
  }

  private checkTarget(kind: ConnectionKind, url: string | undefined): void {
    if (!isEndpoint(kind)) return;
    if (url === undefined) throw invalid('/url', 'is required');
    this.checkAddress(url);
  }

  private checkAddress(text: string): void {
    const url = URL.parse(text);
    const fault = url === null ? 'must be a URL' : this.addresses.findFault(url);
    if (fault) throw invalid('/url', fault);
    if (url!.hash !== '') throw invalid('/url', 'must not have a fragment');
  }
}

/** @throws Problem validation_failed */
export function unreadable(): never {
  throw invalid('/key', "can't be decrypted, or the headers can't: was SECRET_KEY changed? Give them again");
}

/**
 * Refuses to keep secrets that can't be decrypted beside new ones, because only the endpoint would notice that some are missing.
 * @throws Problem validation_failed
 */
function checkUnreadable({ url, hasQuery, hasKey, headerNames }: ConnectionRow, body: ConnectionFields): void {
  if (body.url === undefined && body.key === undefined && body.headers === undefined) return;
  const fault = "can't be decrypted: was SECRET_KEY changed? Give it again, or remove it";
  if (hasKey && body.key === undefined) throw invalid('/key', fault);
  if (headerNames.length > 0 && body.headers === undefined) throw invalid('/headers', fault);
  const isKept = body.url === undefined || (body.url.endsWith(HIDDEN_QUERY) && body.url.startsWith(url));
  if (hasQuery && isKept) throw invalid('/url', `has a query that ${fault}`);
}

/** The secrets that a kind of connection has. Adds a signing secret if the kind needs one and there's none yet. */
function secretsOf(kind: ConnectionKind, { signing, ...given }: ConnectionSecrets): ConnectionSecrets {
  const key = isOfKind(kind, 'key') ? given.key : null;
  return { ...given, key, ...(isSigned(kind) && { signing: signing ?? { secret: makeSecret() } }) };
}

/** @throws Problem validation_failed for a group that doesn't exist */
async function checkGroups(tx: EntityManager, { organizationId, settings }: ConnectionRow): Promise<void> {
  const { targetGroupId, failure, script } = settings;
  const named: (readonly [string, string | null])[] = [
    ['/targetGroupId', targetGroupId],
    ['/failure/targetGroupId', failure?.targetGroupId ?? null],
    ...(script ? groupsOf(script) : []).map(({ pointer, id }) => [`/script${pointer}`, id] as const),
  ];
  const ids = named.flatMap(([, id]) => (id === null ? [] : [id]));
  const existing = await findExistingGroups(tx, organizationId, ids);
  const unknown = named.filter(([, id]) => id !== null && !existing.has(id));
  if (unknown.length === 0) return;
  const errors = unknown.map(([pointer]) => ({ pointer, detail: 'must be the ID of a group of this organization' }));
  throw new Problem(
    'validation_failed',
    errors.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join('; '),
    errors,
  );
}
