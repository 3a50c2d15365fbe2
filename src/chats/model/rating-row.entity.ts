import { Check, Column, Entity, Index, ManyToOne } from 'typeorm';
import { JoinInOrganization, KeyColumn } from '../../platform/database/columns.js';
import { Chat } from './chat.entity.js';
import { GivenRating } from './given-rating.js';

/** A visitor's rating of an ended chat, one per chat. */
@Entity('ratings')
@Check('ck_ratings_score', 'score BETWEEN 1 AND 5')
@Index('ix_ratings_rated', ['organizationId', 'ratedAt'])
export class RatingRow extends GivenRating {
  @KeyColumn('pk_ratings', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_ratings', 'chat_id')
  chatId!: string;

  /** 1 to 5; 5 is the best. */
  @Column('smallint')
  score!: number;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_ratings_chat', 'chat_id')
  chat?: Chat;
}
