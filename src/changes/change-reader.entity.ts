import { Column, Entity, ManyToOne, JoinColumn } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';
import { CodeColumn, KeyColumn } from '../platform/database/columns.js';

/** How far a reader has read the changes of an organization. */
@Entity('change_readers')
export class ChangeReader {
  @KeyColumn('pk_change_readers', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_change_readers')
  name!: string;

  /** Everything before this epoch is read; 0 before the first page. */
  @Column({ type: 'bigint' })
  epoch!: string;

  /** In this epoch, everything up to this subject is read. */
  @CodeColumn('subject_id')
  subjectId!: string;

  /** The last chat of the first pass, which lists every chat; null when that pass is over. */
  @CodeColumn('chat_id', { nullable: true })
  chatId!: string | null;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_change_readers_organization' })
  organization?: Organization;
}
