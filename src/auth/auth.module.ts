import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JsonBodyGuard, TokenBodyGuard } from '../platform/http/json-body.guard.js';
import { AccessToken } from './access-token.entity.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AgentSession } from './agent-session.entity.js';
import { AuditEntry } from './audit-entry.entity.js';
import { SignInFailure } from './sign-in-failure.entity.js';
import { SignInLink } from './sign-in-link.entity.js';
import { AgentsModule } from '../agents/agents.module.js';
import { AgentAccountsService } from './agent-accounts.service.js';
import { AuditService } from './audit.service.js';
import { PasswordChange } from './password-change.js';
import { HashThreads } from './hash-threads.js';
import { PasswordCost } from './password-hash.js';
import { PasswordsService } from './passwords.service.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { AuthRetention } from './auth-retention.js';
import { AgentAuthService } from './agent-auth.service.js';
import { AgentGuard } from './agent.guard.js';
import { AgentProfileService } from './agent-profile.service.js';
import { AgentSessionsService } from './agent-sessions.service.js';
import { AdminGuard } from './admin.guard.js';
import { BotGuard } from './bot.guard.js';
import { ClientAddress } from './client-address.js';
import { EndedTokensService } from './ended-tokens.service.js';
import { EndedVisitorToken } from './ended-visitor-token.entity.js';
import { RateLimits } from './rate-limit.js';
import { SessionGuard } from './session.guard.js';
import { SessionUses } from './session-uses.js';
import { SharedEmails } from './shared-emails.js';
import { SignInLinksService } from './sign-in-links.service.js';
import { SignInGuard } from './sign-in.guard.js';
import { SignInService } from './sign-in.service.js';
import { StorageQuota } from './storage-quota.js';
import { TokenUses } from './token-uses.js';
import { VisitorAuthService } from './visitor-auth.service.js';
import { SessionRateGuard, VisitorLimits, WidgetRateGuard } from './visitor-limits.js';
import { VisitorTokensService } from './visitor-tokens.service.js';
import { VisitorTurns } from './visitor-turns.js';
import { VisitorGuard } from './visitor.guard.js';
import { WrongTokens } from './wrong-tokens.js';

/** Authentication and limits. Global, because every API needs them. */
@Global()
@Module({
  imports: [
    AgentsModule,
    TypeOrmModule.forFeature([AccessToken, AgentSession, AuditEntry, EndedVisitorToken, SignInFailure, SignInLink]),
  ],
  providers: [
    AccessTokensService,
    AdminGuard,
    AgentAccountsService,
    AgentAuthService,
    AgentGuard,
    AgentProfileService,
    AgentSessionsService,
    AuditService,
    BotGuard,
    ClientAddress,
    EndedTokensService,
    JsonBodyGuard,
    PasswordChange,
    HashThreads,
    PasswordCost,
    PasswordsService,
    RateLimits,
    SessionGuard,
    SessionRateGuard,
    SessionUses,
    SharedEmails,
    SignInGuard,
    SignInLinksService,
    AuthRetention,
    SignInService,
    SignInThrottle,
    StorageQuota,
    TokenBodyGuard,
    TokenUses,
    VisitorAuthService,
    VisitorGuard,
    VisitorLimits,
    VisitorTokensService,
    VisitorTurns,
    WidgetRateGuard,
    WrongTokens,
  ],
  exports: [
    AccessTokensService,
    AdminGuard,
    AgentAccountsService,
    AgentAuthService,
    AgentGuard,
    AgentProfileService,
    AgentSessionsService,
    AuditService,
    BotGuard,
    ClientAddress,
    EndedTokensService,
    JsonBodyGuard,
    PasswordChange,
    RateLimits,
    SessionGuard,
    SessionRateGuard,
    SignInGuard,
    SignInLinksService,
    SignInService,
    SignInThrottle,
    StorageQuota,
    TokenBodyGuard,
    VisitorAuthService,
    VisitorGuard,
    VisitorLimits,
    VisitorTokensService,
    VisitorTurns,
    WidgetRateGuard,
    WrongTokens,
  ],
})
export class AuthModule {}
