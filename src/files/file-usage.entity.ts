import { Entity } from 'typeorm';
import { BytesColumn, KeyColumn } from '../platform/database/columns.js';

/** The completed files of an organization. Its lock makes uploads that count towards the quota wait for each other. */
@Entity('file_usage')
export class FileUsage {
  @KeyColumn('pk_file_usage', 'organization_id')
  organizationId!: string;

  @BytesColumn('number', { default: 0 })
  number!: number;

  @BytesColumn('bytes', { default: 0 })
  bytes!: number;
}
