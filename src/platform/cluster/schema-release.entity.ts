import { Check, Column, Entity } from 'typeorm';
import { KeyColumn } from '../database/columns.js';

/** The one row with the newest release that has started on this database. */
@Entity('schema_release')
@Check('ck_schema_release_id', `id = 'only'`)
@Check(
  'ck_schema_release_numbers',
  `newest ~ '^[0-9]{1,6}([.][0-9]{1,6}){2}$' AND oldest ~ '^[0-9]{1,6}([.][0-9]{1,6}){2}$'`,
)
export class SchemaRelease {
  @KeyColumn('pk_schema_release')
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  newest!: string;

  /** The oldest release that the schema serves. */
  @Column({ type: 'text', collation: 'C' })
  oldest!: string;
}
