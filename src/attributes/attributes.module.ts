import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { AttributesService } from './attributes.service.js';

/** Attributes of chats and visitors (CONTRACT section 14). */
@Module({
  imports: [ChatsModule],
  providers: [AttributesService],
  exports: [AttributesService],
})
export class AttributesModule {}
