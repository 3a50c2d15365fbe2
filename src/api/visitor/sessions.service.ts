import { Config } from '../../platform/config/config.js';
import { Injectable } from '@nestjs/common';
import { errors, jwtVerify } from 'jose';
import { EntityManager } from 'typeorm';
import { blocked } from '../../auth/visitors/blocked.js';
import { isCrawler } from '../../auth/visitors/crawler.js';
import { Problem } from '../../platform/errors/problem.js';
import { findBlock } from '../../visitors/visitor-blocks.queries.js';
import { unauthorized } from '../../platform/http/requests/bearer.js';
import { VisitorTokensService } from '../../auth/visitors/visitor-tokens.service.js';
import { WrongTokens } from '../../auth/limits/wrong-tokens.js';
import { type VisitorProfile, VisitorsService } from '../../visitors/visitors.service.js';
import { claimAttributes, claimText } from './identity-claims.js';
import { SignedVisitors } from './signed-visitors.service.js';
import type { Organization } from '../../organizations/organization.entity.js';
import { CaptchaService } from '../../organizations/captcha/captcha.service.js';
import { PublicWidgets } from '../../organizations/public-widgets.js';
import { IdentitySecretsService } from '../../organizations/identity-secrets.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { ENDED_TOKEN } from '../../auth/visitors/ended-tokens.service.js';
import { StorageQuota } from '../../auth/limits/storage-quota.js';
import { bytesOf } from '../../auth/limits/stored-bytes.js';
import { checkOrigin, type VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { VisitorLimits } from '../../auth/limits/visitor-limits.js';
import { VisitorMergeService } from '../../chats/moves/visitor-merge.service.js';
import { VisitorQueue } from '../../auth/limits/visitor-queue.js';
import type { CreateSessionDto, VisitorSessionResponse } from './visitors.dto.js';

/** The longest validity of an identity, in seconds. It limits the use of a leaked one. */
const MAX_IDENTITY_SECONDS = 24 * 60 * 60;
const CLOCK_TOLERANCE_SECONDS = 60;

/** The size of a changed profile in the database, without its texts. */
const PROFILE_BYTES = 200;

/** Starts and renews visitors' sessions (CONTRACT: Visitors). */
@Injectable()
export class SessionsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly widgets: PublicWidgets,
    private readonly captchas: CaptchaService,
    private readonly organizations: OrganizationsService,
    private readonly identitySecrets: IdentitySecretsService,
    private readonly visitors: VisitorsService,
    private readonly signed: SignedVisitors,
    private readonly tokens: VisitorTokensService,
    private readonly merging: VisitorMergeService,
    private readonly quota: StorageQuota,
    private readonly limits: VisitorLimits,
    private readonly queue: VisitorQueue,
    private readonly wrong: WrongTokens,
    private readonly config: Config,
  ) {}

  /**
   * Starts or renews a session. Its visitor is the person in `identity`, which the customer's server signed; without `identity`,
   * the visitor of the `session` to renew; without both, a new visitor. With `identity`, `session` and `merge`, the person takes
   * over the open chats of the session's visitor if that visitor is anonymous. Without `merge`, the old session stays unchanged,
   * because on a shared computer it may belong to another person.
   * @throws Problem unauthorized for a token of another organization or an invalid identity; not_found for an unknown widget
   * key; forbidden for an origin outside the allow-list, or a crawler; blocked; captcha_required; rate_limited if its address starts or stores too much
   */
  async create(
    body: CreateSessionDto,
    session: VisitorIdentity | null,
    origin: string | undefined,
    address: string,
    userAgent: string | undefined,
  ): Promise<VisitorSessionResponse> {
    const isNew = !body.identity && !session;
    if (isNew && isCrawler(userAgent)) throw new Problem('forbidden', 'Crawlers cannot start a session');
    if (!body.identity && this.isBounded(session)) await this.limits.newVisitors.spend(address);
    if (isNew) await this.checkCaptcha(body, address);
    return this.queue.run(address, () => this.begin(body, session, origin, address));
  }

  // Outside of the visitors' turns at the database: the captcha's provider may be slow.
  private async checkCaptcha({ widgetKey, visitor }: CreateSessionDto, address: string): Promise<void> {
    const widget = this.widgets.find(widgetKey) ?? (await this.queue.run(address, () => this.widgets.get(widgetKey)));
    if (widget.hasCaptcha) await this.captchas.check(widget.organizationId, visitor?.captcha);
  }

  // Ending a token stores a row that the quota doesn't refuse. So visitors who have used up the quota get few tokens.
  private isBounded(session: VisitorIdentity | null): boolean {
    return session === null || this.quota.isOver(session, ENDED_TOKEN);
  }

  private async begin(
    body: CreateSessionDto,
    session: VisitorIdentity | null,
    origin: string | undefined,
    address: string,
  ): Promise<VisitorSessionResponse> {
    const organization = await this.organizations.getByWidgetKey(body.widgetKey);
    checkOrigin(organization.allowedOrigins, origin);
    if (session && session.organizationId !== organization.id)
      throw unauthorized('The token belongs to another organization');
    const visitorId = body.identity
      ? await this.identify(organization, body.identity, body.visitor?.metadata, address)
      : await this.createOrRenew(organization.id, address, session, body.visitor);
    // The visitor may have been blocked since the first check. A blocked person takes over no chats.
    if (await findBlock(this.manager, organization.id, visitorId)) throw blocked();
    if (body.merge && session && session.visitorId !== visitorId)
      await this.merging.merge(organization.id, session.visitorId, visitorId);
    return this.answer(organization, visitorId);
  }

  private async createOrRenew(
    organizationId: string,
    address: string,
    session: VisitorIdentity | null,
    profile: VisitorProfile = {},
  ): Promise<string> {
    const changed = bytesOf(profile);
    const stored = { messages: 0, bytes: changed > 0 ? PROFILE_BYTES + changed : 0 };
    const isAnonymous = session?.isAnonymous ?? true;
    return this.quota.store({ organizationId, isAnonymous, limitKey: address }, stored, async () => {
      if (!session) return this.visitors.create(organizationId, profile);
      await this.visitors.update(organizationId, session.visitorId, profile);
      return session.visitorId;
    });
  }

  // Name and email come only from the identity. The metadata is unsigned and comes from the page.
  private async identify(
    { id }: Organization,
    identity: string,
    metadata: VisitorProfile['metadata'],
    address: string,
  ): Promise<string> {
    const secrets = await this.identitySecrets.list(id);
    const options = { algorithms: ['HS256'], requiredClaims: ['sub', 'exp'], clockTolerance: CLOCK_TOLERANCE_SECONDS };
    const problem = unauthorized(
      'The identity must be a JWT (HS256) with sub and exp, signed with the identity secret',
    );
    const verified = secrets.map((secret) => jwtVerify(identity, new TextEncoder().encode(secret), options));
    const { payload } = await Promise.any(verified).catch(({ errors: causes }: AggregateError) =>
      this.wrong.reject(address, causes.some(isExpiry) ? unauthorized('The identity has expired') : problem),
    );
    const latest = Date.now() / 1000 + MAX_IDENTITY_SECONDS + CLOCK_TOLERANCE_SECONDS;
    if (payload.exp! > latest) throw unauthorized('The exp claim of the identity must be at most 24 hours from now');
    const sub = claimText(payload.sub, 'sub', 255) ?? '';
    if (sub === '') throw unauthorized('The sub claim of the identity must not be empty');
    const name = claimText(payload.name, 'name', 200);
    const email = claimText(payload.email, 'email', 320);
    return this.signed.store(id, sub, { name, email, metadata }, claimAttributes(payload, identity));
  }

  /** A session of a visitor who used a link. @throws Problem not_found; blocked */
  async resume(organizationId: string, visitorId: string): Promise<VisitorSessionResponse> {
    if (await findBlock(this.manager, organizationId, visitorId)) throw blocked();
    return this.answer(await this.organizations.get(organizationId), visitorId);
  }

  private async answer(
    { id: organizationId, typingPreview, visitorUploads: mayUpload }: Organization,
    visitorId: string,
  ): Promise<VisitorSessionResponse> {
    const visitor = await this.visitors.find(organizationId, visitorId);
    if (!visitor) throw unauthorized('The visitor of this token was deleted');
    const { token, expiresAt } = await this.tokens.sign(organizationId, visitorId);
    const { id, name, email } = visitor;
    const visitorUploads = mayUpload ? { maxSize: this.config.FILE_MAX_SIZE } : null;
    return { token, expiresAt: expiresAt.toISOString(), visitor: { id, name, email }, typingPreview, visitorUploads };
  }
}

/** Whether a JWT with the right signature has expired. */
function isExpiry(error: unknown): boolean {
  return error instanceof errors.JWTExpired;
}
