import { Module } from '@nestjs/common';
import { InboxApiModule } from './inbox-api.module.js';
import { SessionAnswers } from './session-answers.js';
import { SessionController, SignInController } from './session.controller.js';

/** The API of agents (CONTRACT sections 7 and 10). */
@Module({
  imports: [InboxApiModule],
  controllers: [SignInController, SessionController],
  providers: [SessionAnswers],
})
export class AgentApiModule {}
