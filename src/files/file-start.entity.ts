import { Column, Entity, Index } from 'typeorm';
import { BytesColumn, CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** An upload that a visitor began, for the limits of 24 h. It stays when the upload is removed. */
@Entity('file_starts')
@Index('ix_file_starts_sender', ['sender', 'createdAt'])
@Index('ix_file_starts_address', ['address', 'createdAt'])
@Index('ix_file_starts_created', ['createdAt'])
export class FileStart {
  @KeyColumn('pk_file_starts')
  id!: string;

  /** The id of the visitor. */
  @CodeColumn()
  sender!: string;

  /** A keyed hash of the source address. */
  @Column('bytea')
  address!: Buffer;

  @BytesColumn('size')
  size!: number;

  @TimeColumn('created_at')
  createdAt!: Date;
}
