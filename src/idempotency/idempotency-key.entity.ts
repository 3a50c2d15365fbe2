import { Column, Entity, Index } from 'typeorm';
import { KeyColumn, TimeColumn } from '../platform/database/columns.js';

/**
 * The first result of a request with an `Idempotency-Key`, kept for 24 h. It has no foreign key to its bot, because each
 * send with a key would lock the bot's row.
 */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_created_at', ['createdAt'])
// The index is on a member of the response of a transfer, which a decorator cannot express.
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

  /** SHA-256 of the meaning of the request's body. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column('json')
  response!: Record<string, unknown>;

  @TimeColumn('created_at')
  createdAt!: Date;
}
