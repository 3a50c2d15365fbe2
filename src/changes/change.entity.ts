import { Column, Entity, PrimaryColumn } from 'typeorm';
import { KeyColumn } from '../platform/database/columns.js';

/** A chat or a visitor that changed in an epoch. Only triggers insert rows, while the organization has a reader. */
@Entity('chat_changes')
export class ChangeRow {
  @KeyColumn('pk_chat_changes', 'organization_id')
  organizationId!: string;

  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'pk_chat_changes' })
  epoch!: string;

  /** The id of the chat or the visitor. */
  @KeyColumn('pk_chat_changes', 'subject_id')
  subjectId!: string;

  /** Messages of the chat after this `seq` may be new, changed, or gone; 0 for a visitor. */
  @Column({ name: 'after_seq', type: 'integer' })
  afterSeq!: number;
}
