import { Entity, Index, ManyToOne } from 'typeorm';
import { Chat } from '../chats/model/chat.entity.js';
import { JoinInOrganization, KeyColumn } from '../platform/database/columns.js';
import { Tag } from './tag.entity.js';

/** A tag of a chat. */
@Entity('chat_tags')
@Index('ix_chat_tags_tag', ['organizationId', 'tagId', 'chatId'])
export class ChatTag {
  @KeyColumn('pk_chat_tags', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_chat_tags', 'chat_id')
  chatId!: string;

  @KeyColumn('pk_chat_tags', 'tag_id')
  tagId!: string;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_chat_tags_chat', 'chat_id')
  chat?: Chat;

  @ManyToOne(() => Tag, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_chat_tags_tag', 'tag_id')
  tag?: Tag;
}
