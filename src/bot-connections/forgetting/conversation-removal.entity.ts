import { Column, Entity, Index } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** A conversation that an endpoint is still to remove. */
@Entity('conversation_removals')
@Index('ix_conversation_removals_due', ['dueAt'])
export class ConversationRemoval {
  @KeyColumn('pk_conversation_removals', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_conversation_removals')
  id!: string;

  @CodeColumn('bot_id')
  botId!: string;

  @CodeColumn('connection_id')
  connectionId!: string;

  @Column({ name: 'remote_id', type: 'text' })
  remoteId!: string;

  /** The name that the visitor has at the endpoint. */
  @CodeColumn('remote_user')
  remoteUser!: string;

  /** How many requests have been made for it. */
  @Column({ type: 'integer', default: 0 })
  tries!: number;

  @TimeColumn('due_at')
  dueAt!: Date;

  @TimeColumn('created_at')
  createdAt!: Date;
}
