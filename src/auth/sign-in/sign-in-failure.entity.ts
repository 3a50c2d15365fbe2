import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** The failures to sign in with an email address from a network, or from everywhere (an empty network). */
@Entity('sign_in_failures')
@Index('ix_sign_in_failures_window', ['windowBeganAt'])
export class SignInFailure {
  /** SHA-256 of the address in lower case. No agent needs to have it. */
  @PrimaryColumn({ name: 'email_hash', type: 'bytea', primaryKeyConstraintName: 'pk_sign_in_failures' })
  emailHash!: Buffer;

  @KeyColumn('pk_sign_in_failures', 'source_network')
  sourceNetwork!: string;

  @Column('integer')
  failures!: number;

  @TimeColumn('window_began_at')
  windowBeganAt!: Date;

  @TimeColumn('blocked_until', { nullable: true })
  blockedUntil!: Date | null;
}
