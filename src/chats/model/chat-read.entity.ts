import { Check, Column, Entity, ManyToOne } from 'typeorm';
import { JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Chat } from './chat.entity.js';

/** The side that reads: the visitor, the organization (bots and agents together), or the agents alone. */
export type Side = 'visitor' | 'organization' | 'agents';

/** How far a side has read a chat; it never goes back. */
@Entity('chat_reads')
@Check('ck_chat_reads_side', `side IN ('visitor', 'organization', 'agents')`)
export class ChatRead {
  @KeyColumn('pk_chat_reads', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_chat_reads', 'chat_id')
  chatId!: string;

  @KeyColumn('pk_chat_reads')
  side!: Side;

  /** The `seq` of the last message that was read. */
  @Column('integer')
  seq!: number;

  @TimeColumn('updated_at')
  updatedAt!: Date;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_chat_reads_chat', 'chat_id')
  chat?: Chat;
}
