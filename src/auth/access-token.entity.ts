import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Bot } from '../bots/bot.entity.js';

/** A personal access token of a bot; only its hash is stored. */
@Entity('access_tokens')
@Unique('uq_access_tokens_hash', ['tokenHash'])
@Index('ix_access_tokens_bot', ['organizationId', 'botId'])
@Index('ix_access_tokens_list', ['organizationId', 'botId', 'id'])
export class AccessToken {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'pk_access_tokens',
  })
  organizationId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_access_tokens' })
  id!: string;

  @Column({ name: 'bot_id', type: 'text', collation: 'C' })
  botId!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** SHA-256 of the token. */
  @Column({ name: 'token_hash', type: 'bytea', select: false })
  tokenHash!: Buffer;

  @Column({ name: 'last_four', type: 'text' })
  lastFour!: string;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @ManyToOne(() => Bot, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'fk_access_tokens_bot',
    },
    { name: 'bot_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_access_tokens_bot' },
  ])
  bot?: Bot;
}
