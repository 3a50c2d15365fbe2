import { Column, Entity, Unique } from 'typeorm';
import { KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** Someone who operates the installation with a token of their own; only its hash is stored. */
@Entity('operators')
@Unique('uq_operators_hash', ['tokenHash'])
export class Operator {
  @KeyColumn('pk_operators')
  id!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the token. */
  @Column({ name: 'token_hash', type: 'bytea', select: false })
  tokenHash!: Buffer;

  @Column({ name: 'last_four', type: 'text' })
  lastFour!: string;

  @TimeColumn('expires_at', { nullable: true })
  expiresAt!: Date | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  @TimeColumn('last_used_at', { nullable: true })
  lastUsedAt!: Date | null;
}
