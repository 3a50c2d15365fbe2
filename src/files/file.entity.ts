import { Column, Entity, Index } from 'typeorm';
import { BytesColumn, CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/**
 * An upload, and the file that it becomes. The row is stored before the first byte. It has no foreign key: code that removes a chat or an
 * organization first turns its files into rows of `file_removals`, so that their bytes go too.
 */
@Entity('files')
@Index('ix_files_id', ['id'])
@Index('ix_files_chat', ['organizationId', 'chatId'])
@Index('ix_files_pictures', ['organizationId', 'createdAt'], { where: `used_by = 'picture'` })
@Index('ix_files_unused', ['createdAt'], { where: 'used_by IS NULL' })
@Index('ix_files_unfinished', ['organizationId', 'createdAt'], { where: `status = 'PENDING'` })
export class File {
  @KeyColumn('pk_files', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_files')
  id!: string;

  @CodeColumn('chat_id')
  chatId!: string;

  @CodeColumn('sender_type')
  senderType!: string;

  @CodeColumn('sender_id')
  senderId!: string;

  @Column('text')
  name!: string;

  @BytesColumn('announced_size')
  announcedSize!: number;

  /** `PENDING`, `COMPLETE`, or `REFUSED`. */
  @CodeColumn()
  status!: string;

  /** The code of the final refusal. */
  @CodeColumn('refusal', { nullable: true })
  refusal!: string | null;

  /** The random part of its key, set before the bytes are copied there. */
  @CodeColumn('place', { nullable: true })
  place!: string | null;

  /** When the lease to check the bytes ends. */
  @TimeColumn('checked_until', { nullable: true })
  checkedUntil!: Date | null;

  @BytesColumn('size', { nullable: true })
  size!: number | null;

  @CodeColumn('type', { nullable: true })
  type!: string | null;

  @Column({ type: 'integer', nullable: true })
  width!: number | null;

  @Column({ type: 'integer', nullable: true })
  height!: number | null;

  @Column({ name: 'duration_seconds', type: 'double precision', nullable: true })
  durationSeconds!: number | null;

  /** The id of the message or note that has the file; `picture` if everyone with its address may see it; null if it's unused. */
  @CodeColumn('used_by', { nullable: true })
  usedBy!: string | null;

  @TimeColumn('created_at')
  createdAt!: Date;
}
