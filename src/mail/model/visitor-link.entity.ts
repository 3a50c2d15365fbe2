import { Column, Entity, Index, ManyToOne } from 'typeorm';
import { Chat } from '../../chats/model/chat.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** A link to continue a chat on any device. Only its token's hash is stored. The row is removed when the link ends. */
@Entity('visitor_links')
@Index('ix_visitor_links_hash', ['tokenHash'])
@Index('ix_visitor_links_chat', ['organizationId', 'chatId'])
@Index('ix_visitor_links_expiry', ['expiresAt'])
export class VisitorLink {
  @KeyColumn('pk_visitor_links', 'organization_id')
  organizationId!: string;

  /** SHA-256 of the token, in hex. */
  @KeyColumn('pk_visitor_links', 'token_hash')
  tokenHash!: string;

  @CodeColumn('chat_id')
  chatId!: string;

  @CodeColumn('visitor_id')
  visitorId!: string;

  /** The address that it was mailed to. */
  @Column('text')
  email!: string;

  @TimeColumn('expires_at')
  expiresAt!: Date;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_visitor_links_chat', 'chat_id')
  chat?: Chat;
}
