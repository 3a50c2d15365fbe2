import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JsonBodyGuard } from '../common/json-body.guard.js';
import { AccessToken } from './access-token.entity.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AdminGuard } from './admin.guard.js';
import { BotGuard } from './bot.guard.js';
import { ClientAddress } from './client-address.js';
import { RateLimits } from './rate-limit.js';
import { TokenUses } from './token-uses.js';
import { VisitorTokensService } from './visitor-tokens.service.js';
import { WrongTokens } from './wrong-tokens.js';

/** Who calls. Global, because every door needs it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AccessToken])],
  providers: [
    AccessTokensService,
    AdminGuard,
    BotGuard,
    ClientAddress,
    JsonBodyGuard,
    RateLimits,
    TokenUses,
    VisitorTokensService,
    WrongTokens,
  ],
  exports: [
    AccessTokensService,
    AdminGuard,
    BotGuard,
    ClientAddress,
    JsonBodyGuard,
    RateLimits,
    VisitorTokensService,
    WrongTokens,
  ],
})
export class AuthModule {}
