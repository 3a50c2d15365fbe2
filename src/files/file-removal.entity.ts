import { Entity, Index } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** Bytes to remove. The removal is tried until it succeeds, and once more at `lastAt`, because a body may arrive until then. */
@Entity('file_removals')
@Index('ix_file_removals_due', ['dueAt'])
@Index('ix_file_removals_erased_for', ['organizationId', 'erasedFor'], { where: 'erased_for IS NOT NULL' })
@Index('ix_file_removals_chat', ['organizationId', 'chatId'])
export class FileRemoval {
  @KeyColumn('pk_file_removals', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_file_removals')
  key!: string;

  @CodeColumn('chat_id')
  chatId!: string;

  /** The visitor whose erasure waits for it. */
  @CodeColumn('erased_for', { nullable: true })
  erasedFor!: string | null;

  @TimeColumn('due_at')
  dueAt!: Date;

  @TimeColumn('last_at')
  lastAt!: Date;

  /** When the bytes were first removed; null until then. */
  @TimeColumn('cleared_at', { nullable: true })
  clearedAt!: Date | null;
}
