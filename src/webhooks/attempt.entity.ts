import { Column, Entity, PrimaryColumn } from 'typeorm';

const key = { type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_attempts' } as const;

/**
 * One attempt of a delivery, and its result. It has no foreign key to its delivery, whose check every deleted event of a bot that polls would
 * pay for: the statement that inserts it holds the delivery's row, and a trigger of `deliveries` removes the attempts of a deleted
 * delivery.
 */
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
}
