import { Check, Column, Entity } from 'typeorm';
import { KeyColumn } from '../database/columns.js';

/** The one row that only the SECRET_KEY of this database opens. */
@Entity('secret_key_check')
@Check('ck_secret_key_check_id', `id = 'only'`)
export class SecretKeyCheck {
  @KeyColumn('pk_secret_key_check')
  id!: string;

  /** Empty: the next start's key becomes the database's. */
  @Column('bytea')
  sealed!: Buffer;
}
