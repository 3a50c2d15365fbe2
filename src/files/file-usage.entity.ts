import { Entity } from 'typeorm';
import { BytesColumn, KeyColumn } from '../platform/database/columns.js';

/** How many completed files and bytes an organization has. Uploads lock this row, so their checks of the quota wait for each other. */
@Entity('file_usage')
export class FileUsage {
  @KeyColumn('pk_file_usage', 'organization_id')
  organizationId!: string;

  @BytesColumn('number', { default: 0 })
  number!: number;

  @BytesColumn('bytes', { default: 0 })
  bytes!: number;
}
