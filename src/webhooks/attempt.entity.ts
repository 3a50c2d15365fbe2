import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Delivery } from './delivery.entity.js';

const key = { type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_attempts' } as const;
const foreignKey = { foreignKeyConstraintName: 'fk_attempts_delivery' };

/** One attempt of a delivery, and its result. */
@Entity('attempts')
export class Attempt {
  @PrimaryColumn({ ...key, name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn({ ...key, name: 'webhook_id' })
  webhookId!: string;

  @PrimaryColumn({ ...key, name: 'delivery_id' })
  deliveryId!: string;

  /** 1, 2, 3 … */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'pk_attempts' })
  number!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  /** The HTTP status of the response; null without one. */
  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  /** The error in plain text; null if it succeeded. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs!: number;

  @ManyToOne(() => Delivery, { onDelete: 'CASCADE' })
  @JoinColumn([
    { ...foreignKey, name: 'organization_id', referencedColumnName: 'organizationId' },
    { ...foreignKey, name: 'webhook_id', referencedColumnName: 'webhookId' },
    { ...foreignKey, name: 'delivery_id', referencedColumnName: 'id' },
  ])
  delivery?: Delivery;
}
