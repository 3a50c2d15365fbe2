import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The first result of a request that carried an `Idempotency-Key`, kept for 24 h. Without a foreign key to its bot:
 * each keyed send would lock the bot's row.
 */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_created_at', ['createdAt'])
// On what is in the response of a transfer, which a decorator cannot say.
@Index('ix_idempotency_keys_transfer', { synchronize: false })
export class IdempotencyKey {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'pk_idempotency_keys',
  })
  organizationId!: string;

  @PrimaryColumn({ name: 'bot_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_idempotency_keys' })
  botId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_idempotency_keys' })
  endpoint!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_idempotency_keys' })
  key!: string;

  /** SHA-256 of what the request asked for. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column('json')
  response!: Record<string, unknown>;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
