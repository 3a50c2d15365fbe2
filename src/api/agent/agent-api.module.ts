import { Module } from '@nestjs/common';
import { HandoffModule } from '../../handoff/handoff.module.js';
import { InboxModule } from '../../inbox/inbox.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { PicturesModule } from '../../pictures/pictures.module.js';
import { ActionsController } from './actions.controller.js';
import { AgentLiveModule } from './agent-live.module.js';
import { InboxApiModule } from './inbox-api.module.js';
import { PasswordResetController } from './password-reset.controller.js';
import { SessionResponses } from './session-responses.js';
import { SessionController } from './session.controller.js';
import { SnoozesController } from './snoozes.controller.js';
import { SignInController } from './sign-in.controller.js';

/** The API of agents (CONTRACT: Signing in and CONTRACT: Agent API). */
@Module({
  imports: [AgentLiveModule, HandoffModule, InboxApiModule, InboxModule, MailModule, MessagesModule, PicturesModule],
  controllers: [ActionsController, PasswordResetController, SignInController, SessionController, SnoozesController],
  providers: [SessionResponses],
})
export class AgentApiModule {}
