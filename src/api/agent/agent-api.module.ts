import { Module } from '@nestjs/common';
import { SessionAnswers } from './session-answers.js';
import { SessionController, SignInController } from './session.controller.js';

/** The API of agents (CONTRACT sections 7 and 10). */
@Module({
  controllers: [SignInController, SessionController],
  providers: [SessionAnswers],
})
export class AgentApiModule {}
