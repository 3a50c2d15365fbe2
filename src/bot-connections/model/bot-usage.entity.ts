import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';
import { BytesColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** What a connected bot did on a day, in UTC. */
@Entity('bot_usage')
@Index('ix_bot_usage_created', ['createdAt'])
export class BotUsage {
  @KeyColumn('pk_bot_usage', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_bot_usage', 'bot_id')
  botId!: string;

  /** As `2026-01-31`. */
  @KeyColumn('pk_bot_usage', 'day')
  day!: string;

  /** How many turns have ended. */
  @Column('integer')
  turns!: number;

  @Column('integer')
  failed!: number;

  /** How many turns have ended with a transfer, without the failed ones. */
  @Column({ name: 'handed_over', type: 'integer' })
  handedOver!: number;

  @BytesColumn('input_tokens')
  inputTokens!: number;

  @BytesColumn('output_tokens')
  outputTokens!: number;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_bot_usage_organization' })
  organization?: Organization;
}
