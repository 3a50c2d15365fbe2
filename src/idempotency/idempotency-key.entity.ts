import { Column, Entity, Index } from 'typeorm';
import { KeyColumn, TimeColumn } from '../platform/database/columns.js';

/**
 * The first result of a request with an `Idempotency-Key`, kept for 24 h. It has no foreign key to its bot, because every send with
 * a key would lock the bot's row.
 */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_created_at', ['createdAt'])
// An index on a member of a transfer's response, which a decorator can't express.
@Index('ix_idempotency_keys_transfer', { synchronize: false })
export class IdempotencyKey {
  @KeyColumn('pk_idempotency_keys', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_idempotency_keys', 'bot_id')
  botId!: string;

  @KeyColumn('pk_idempotency_keys')
  endpoint!: string;

  @KeyColumn('pk_idempotency_keys')
  key!: string;

  /** SHA-256 of the normalized request body. See `Idempotency.fingerprint`. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column('json')
  response!: Record<string, unknown>;

  @TimeColumn('created_at')
  createdAt!: Date;
}
