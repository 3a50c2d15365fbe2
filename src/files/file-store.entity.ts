import { Check, Entity, PrimaryColumn } from 'typeorm';
import { CodeColumn } from '../platform/database/columns.js';

/** The id of the store that has the bytes (CONTRACT: File storage). One row. */
@Entity('file_store')
@Check('ck_file_store_is_only', 'is_only')
export class FileStoreRow {
  @PrimaryColumn({ name: 'is_only', type: 'boolean', default: true, primaryKeyConstraintName: 'pk_file_store' })
  isOnly!: boolean;

  @CodeColumn()
  id!: string;
}
