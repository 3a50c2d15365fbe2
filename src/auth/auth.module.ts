import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JsonBodyGuard, TokenBodyGuard } from '../platform/http/requests/json-body.guard.js';
import { AccessToken } from './bots/access-token.entity.js';
import { AccessTokensService } from './bots/access-tokens.service.js';
import { AgentSession } from './agents/agent-session.entity.js';
import { AuditEntry } from './audit/audit-entry.entity.js';
import { ForgivenFailure } from './sign-in/forgiven-failure.entity.js';
import { SignInFailure } from './sign-in/sign-in-failure.entity.js';
import { SignInLink } from './agents/sign-in-link.entity.js';
import { BotsModule } from '../bots/bots.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { AgentAccountsService } from './agents/agent-accounts.service.js';
import { AddressRemoval } from './audit/address-removal.js';
import { DailyReads } from './audit/daily-reads.js';
import { InstallationAudit } from './audit/installation-audit.js';
import { InstallationEntry } from './audit/installation-entry.entity.js';
import { AuditService } from './audit/audit.service.js';
import { Operator } from './operators/operator.entity.js';
import { OperatorLastUsedRecorder } from './operators/operator-last-used-recorder.js';
import { OperatorsService } from './operators/operators.service.js';
import { PasswordChange } from './sign-in/password-change.js';
import { HashThreads } from './sign-in/hash-threads.js';
import { PasswordCost, PasswordSalts } from './sign-in/password-hash.js';
import { PasswordsService } from './sign-in/passwords.service.js';
import { SignInThrottle } from './sign-in/sign-in-throttle.js';
import { AuthRetention } from './auth-retention.js';
import { AgentAuthService } from './agents/agent-auth.service.js';
import { AgentGuard } from './agents/agent.guard.js';
import { AgentProfileService } from './agents/agent-profile.service.js';
import { AgentSessionsService } from './agents/agent-sessions.service.js';
import { AdminGuard } from './agents/admin.guard.js';
import { BotGuard } from './bots/bot.guard.js';
import { ClientAddress } from './limits/client-address.js';
import { ConnectionsByAddress } from './limits/connections-by-address.js';
import { PublicRate } from './limits/public-rate.js';
import { EndedTokensService } from './visitors/ended-tokens.service.js';
import { EndedVisitorToken } from './visitors/ended-visitor-token.entity.js';
import { RateLimits } from './limits/rate-limit.js';
import { SessionGuard } from './visitors/session.guard.js';
import { SessionLastUsedRecorder } from './agents/session-last-used-recorder.js';
import { SharedEmailCounter } from './sign-in/shared-email-counter.js';
import { SignInLinksService } from './sign-in/sign-in-links.service.js';
import { SignInGuard } from './sign-in/sign-in.guard.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { StorageQuota } from './limits/storage-quota.js';
import { TokenLastUsedRecorder } from './bots/token-last-used-recorder.js';
import { VisitorAuthService } from './visitors/visitor-auth.service.js';
import { SessionRateGuard, VisitorLimits, WidgetRateGuard } from './limits/visitor-limits.js';
import { VisitorTokensService } from './visitors/visitor-tokens.service.js';
import { VisitorQueue } from './limits/visitor-queue.js';
import { SignOutGuard, VisitorGuard } from './visitors/visitor.guard.js';
import { WrongTokens } from './limits/wrong-tokens.js';

const EXPORTED = [
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
  ConnectionsByAddress,
  EndedTokensService,
  DailyReads,
  InstallationAudit,
  JsonBodyGuard,
  OperatorsService,
  PasswordChange,
  PublicRate,
  RateLimits,
  SessionGuard,
  SessionRateGuard,
  SignInGuard,
  SignInLinksService,
  SignInService,
  SignInThrottle,
  SignOutGuard,
  StorageQuota,
  TokenBodyGuard,
  VisitorAuthService,
  VisitorGuard,
  VisitorLimits,
  VisitorTokensService,
  VisitorQueue,
  WidgetRateGuard,
  WrongTokens,
];

/** Authentication and limits. Global, because every API needs them. */
@Global()
@Module({
  imports: [
    AgentsModule,
    BotsModule,
    TypeOrmModule.forFeature([
      AccessToken,
      AgentSession,
      AuditEntry,
      EndedVisitorToken,
      ForgivenFailure,
      InstallationEntry,
      Operator,
      SignInFailure,
      SignInLink,
    ]),
  ],
  providers: [
    ...EXPORTED,
    AddressRemoval,
    HashThreads,
    OperatorLastUsedRecorder,
    PasswordCost,
    PasswordSalts,
    PasswordsService,
    SessionLastUsedRecorder,
    SharedEmailCounter,
    AuthRetention,
    TokenLastUsedRecorder,
  ],
  // Bots' guard is made in every module of a door that uses it.
  exports: [...EXPORTED, BotsModule],
})
export class AuthModule {}
