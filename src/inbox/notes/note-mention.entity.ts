import { Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Note } from './note.entity.js';

/** An agent whom a note mentions. */
@Entity('note_mentions')
@Index('ix_note_mentions_note', ['organizationId', 'chatId', 'noteId'])
@Index('ix_note_mentions_unseen', ['organizationId', 'agentId', 'noteId'], { where: 'seen_at IS NULL' })
export class NoteMention {
  @KeyColumn('pk_note_mentions', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_note_mentions', 'agent_id')
  agentId!: string;

  @KeyColumn('pk_note_mentions', 'note_id')
  noteId!: string;

  @CodeColumn('chat_id')
  chatId!: string;

  /** When the agent has seen it. */
  @TimeColumn('seen_at', { nullable: true })
  seenAt!: Date | null;

  @ManyToOne(() => Note, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'fk_note_mentions_note',
    },
    { name: 'chat_id', referencedColumnName: 'chatId', foreignKeyConstraintName: 'fk_note_mentions_note' },
    { name: 'note_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_note_mentions_note' },
  ])
  note?: Note;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_note_mentions_agent', 'agent_id')
  agent?: Agent;
}
