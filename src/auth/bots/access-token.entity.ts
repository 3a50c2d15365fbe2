import { Column, Entity, Index, ManyToOne, Unique } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Bot } from '../../bots/bot.entity.js';
import type { Scope } from './scope.js';

/** A personal access token of a bot; only its hash is stored. */
@Entity('access_tokens')
@Unique('uq_access_tokens_hash', ['tokenHash'])
@Index('ix_access_tokens_bot', ['organizationId', 'botId'])
@Index('ix_access_tokens_list', ['organizationId', 'botId', 'id'])
export class AccessToken {
  @KeyColumn('pk_access_tokens', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_access_tokens')
  id!: string;

  @CodeColumn('bot_id')
  botId!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** SHA-256 of the token. */
  @Column({ name: 'token_hash', type: 'bytea', select: false })
  tokenHash!: Buffer;

  @Column({ name: 'last_four', type: 'text' })
  lastFour!: string;

  /** What it may do; null: everything. */
  @Column({ type: 'text', array: true, nullable: true })
  scopes!: Scope[] | null;

  @TimeColumn('expires_at', { nullable: true })
  expiresAt!: Date | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  @TimeColumn('last_used_at', { nullable: true })
  lastUsedAt!: Date | null;

  @ManyToOne(() => Bot, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_access_tokens_bot', 'bot_id')
  bot?: Bot;
}
