import { Module } from '@nestjs/common';
import { ChatsModule } from '../../chats/chats.module.js';
import { GroupsModule } from '../../groups/groups.module.js';
import { HandoffModule } from '../../handoff/handoff.module.js';
import { LiveModule } from '../../live/live.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { PullModule } from '../../pull/pull.module.js';
import { ChatsController } from './chats.controller.js';
import { EventsController } from './events.controller.js';
import { HandoffsController } from './handoffs.controller.js';
import { GroupsController } from './groups.controller.js';
import { MessagesController } from './messages.controller.js';
import { SignalsController } from './signals.controller.js';
import { SubscriptionController } from './subscription.controller.js';
import { TransferController } from './transfer.controller.js';

/** The bot API (CONTRACT section 2). */
@Module({
  imports: [ChatsModule, GroupsModule, HandoffModule, LiveModule, MessagesModule, PullModule],
  controllers: [
    HandoffsController,
    GroupsController,
    ChatsController,
    MessagesController,
    TransferController,
    SignalsController,
    SubscriptionController,
    EventsController,
  ],
})
export class BotApiModule {}
