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

  /** How often it was changed. */
  @Column({ name: 'change_count', type: 'smallint', default: 0 })
  changeCount!: number;
}

/** How often a rating can be changed. */
export const MAX_RATING_CHANGES = 10;

/** Runs the work that stores a rating, and counts it for the visitor. @throws Problem rate_limited */
export type Counting = <T>(work: () => Promise<T>) => Promise<T>;
