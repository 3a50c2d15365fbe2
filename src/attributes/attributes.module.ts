import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatsModule } from '../chats/chats.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AttributeFilling } from './attribute-filling.service.js';
import { AttributeKey } from './attribute-key.entity.js';
import { AttributeKeysService } from './attribute-keys.service.js';
import { AttributeValue } from './attribute-value.entity.js';
import { AttributesService } from './attributes.service.js';

/** Attributes of chats and visitors, and filters by them (CONTRACT: Attributes). */
@Module({
  imports: [ChatsModule, OrganizationsModule, TypeOrmModule.forFeature([AttributeKey, AttributeValue])],
  providers: [AttributeFilling, AttributeKeysService, AttributesService],
  exports: [AttributeFilling, AttributeKeysService, AttributesService],
})
export class AttributesModule {}
