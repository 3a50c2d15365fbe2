import { Column, Entity, Index, ManyToOne } from 'typeorm';
import { JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Chat } from './chat.entity.js';

/** A visitor asked for a person while the bots have the chat. */
@Entity('person_requests')
@Index('ix_person_requests_due', ['dueAt'])
export class PersonRequest {
  @KeyColumn('pk_person_requests', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_person_requests', 'chat_id')
  chatId!: string;

  /** A bot's message after this `seq` is a reaction. */
  @Column({ name: 'after_seq', type: 'integer' })
  afterSeq!: number;

  @TimeColumn('requested_at')
  requestedAt!: Date;

  /** When the chat is transferred if no bot has reacted. */
  @TimeColumn('due_at')
  dueAt!: Date;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_person_requests_chat', 'chat_id')
  chat?: Chat;
}
