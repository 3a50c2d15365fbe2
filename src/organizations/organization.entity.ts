import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** The tenant. */
@Entity('organizations')
@Unique('uq_organizations_widget_key', ['widgetKey'])
export class Organization {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_organizations' })
  id!: string;

  @Column('text')
  name!: string;

  @Column({ name: 'widget_key', type: 'text', collation: 'C' })
  widgetKey!: string;

  /** Sealed: the key customers sign identities with. */
  @Column({ name: 'identity_secret', type: 'bytea', select: false })
  identitySecret!: Buffer;

  /** Web origins that may embed the chat; empty = any. */
  @Column({ name: 'allowed_origins', type: 'text', array: true, default: '{}' })
  allowedOrigins!: string[];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
