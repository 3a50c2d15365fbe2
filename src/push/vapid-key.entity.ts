import { Column, Entity } from 'typeorm';
import { KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** A generated VAPID key. It belongs to the installation, not to an organization. */
@Entity('push_keys')
export class VapidKey {
  @KeyColumn('pk_push_keys', 'public_key')
  publicKey!: string;

  /** The private key, encrypted with SECRET_KEY. */
  @Column({ type: 'bytea', select: false })
  sealed!: Buffer;

  @TimeColumn('created_at')
  createdAt!: Date;
}
