import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatsModule } from '../chats/chats.module.js';
import { ChatTag } from './chat-tag.entity.js';
import { ChatTagsService } from './chat-tags.service.js';
import { TagChanges } from './tag-changes.service.js';
import { TagName } from './tag-name.entity.js';
import { Tag } from './tag.entity.js';
import { TagsService } from './tags.service.js';

/** Tags of chats (CONTRACT: Tags). */
@Module({
  imports: [ChatsModule, TypeOrmModule.forFeature([ChatTag, Tag, TagName])],
  providers: [ChatTagsService, TagChanges, TagsService],
  exports: [ChatTagsService, TagChanges, TagsService],
})
export class TagsModule {}
