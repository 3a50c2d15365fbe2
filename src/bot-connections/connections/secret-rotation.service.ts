import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { transaction } from '../../platform/database/transaction.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import { makeSecret } from '../../webhooks/webhook-secrets.js';
import { isSigned } from '../model/connection.js';
import { ConnectionSecretsBox } from './connection-secrets.js';
import { type ConnectionRow, lockConnection, updateConnection } from './connections.queries.js';
import { unreadable } from './connections.service.js';

/** For how long the previous secret signs too, in milliseconds. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Replaces the secrets that sign requests (CONTRACT: Connections). */
@Injectable()
export class SecretRotation {
  constructor(
    private readonly manager: EntityManager,
    private readonly box: ConnectionSecretsBox,
  ) {}

  /**
   * Replaces the secret that signs, and returns the new one. For 24 hours, the previous one signs too.
   * @param alongside runs in the same transaction
   * @throws Problem not_found; conflict for kinds without signatures; validation_failed if the secrets can't be decrypted
   */
  async rotate(
    organizationId: string,
    botId: string,
    alongside: (tx: EntityManager, row: ConnectionRow) => Promise<void>,
  ): Promise<{ secret: string }> {
    const secret = makeSecret();
    await transaction(this.manager, async (tx) => {
      const row = (await lockConnection(tx, organizationId, botId)) ?? notFound('Connection');
      if (!isSigned(row.kind))
        throw new Problem('conflict', `Requests to endpoints of kind ${row.kind} have no signature`);
      const secrets = this.box.open(organizationId, row.id, row.secrets) ?? unreadable();
      const until = new Date(Date.now() + OVERLAP_MS).toISOString();
      const signing = { secret, ...(secrets.signing && { previous: { secret: secrets.signing.secret, until } }) };
      await updateConnection(tx, { ...row, secrets: this.box.seal(organizationId, row.id, { ...secrets, signing }) });
      await alongside(tx, row);
    });
    return { secret };
  }
}
