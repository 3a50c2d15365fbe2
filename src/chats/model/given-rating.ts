import { Column } from 'typeorm';
import { TimeColumn } from '../../platform/database/columns.js';

/** The columns of every rating by a visitor. */
export abstract class GivenRating {
  @Column({ type: 'text', nullable: true })
  comment!: string | null;

  /** When it was first given. */
  @TimeColumn('rated_at')
  ratedAt!: Date;

  /** When it was last changed. */
  @TimeColumn('changed_at', { nullable: true })
  changedAt!: Date | null;
}
