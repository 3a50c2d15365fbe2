import { Check, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn } from '../../platform/database/columns.js';
import { Chat } from './chat.entity.js';
import { GivenRating } from './given-rating.js';

/** Thumbs up or down. */
export const MESSAGE_RATINGS = ['UP', 'DOWN'] as const;
export type MessageRatingValue = (typeof MESSAGE_RATINGS)[number];

/** A visitor's rating of a bot's message, one per message. It's removed with the message. */
@Entity('message_ratings')
@Check('ck_message_ratings_rating', `rating IN ('UP', 'DOWN')`)
@Index('ix_message_ratings_rated', ['organizationId', 'ratedAt'])
export class MessageRatingRow extends GivenRating {
  @KeyColumn('pk_message_ratings', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_message_ratings', 'chat_id')
  chatId!: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'pk_message_ratings' })
  seq!: number;

  @CodeColumn('message_id')
  messageId!: string;

  /** The bot that sent the message. It may have been deleted since. */
  @CodeColumn('bot_id', { nullable: true })
  botId!: string | null;

  @CodeColumn()
  rating!: MessageRatingValue;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_message_ratings_chat', 'chat_id')
  chat?: Chat;
}
