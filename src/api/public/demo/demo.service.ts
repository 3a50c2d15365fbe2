import { Injectable, Logger } from '@nestjs/common';
import { SignJWT } from 'jose';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EntityManager } from 'typeorm';
import { AgentsService } from '../../../agents/agents.service.js';
import { InstallationAudit } from '../../../auth/audit/installation-audit.js';
import { systemContext } from '../../../auth/context/request-context.js';
import { AgentAccountsService } from '../../../auth/agents/agent-accounts.service.js';
import { SignInLinksService } from '../../../auth/sign-in/sign-in-links.service.js';
import { MAX_PAGE_SIZE } from '../../../platform/validation/paging.js';
import { AccessTokensService } from '../../../auth/bots/access-tokens.service.js';
import { unauthorized } from '../../../platform/http/requests/bearer.js';
import { BotsService } from '../../../bots/bots.service.js';
import { ChatsService } from '../../../chats/reading/chats.service.js';
import { VisitorsService } from '../../../visitors/visitors.service.js';
import { Config } from '../../../platform/config/config.js';
import { isLoopback } from '../../../platform/config/local-address.js';
import { makeDirectory } from '../../../platform/config/make-directory.js';
import { notFound } from '../../../platform/errors/problem.js';
import { recordAll } from '../../../platform/database/change-hooks.js';
import { transaction } from '../../../platform/database/transaction.js';
import { newId } from '../../../platform/lib/ids.js';
import { isSameSecret, randomText } from '../../../platform/lib/secrets.js';
import { GroupsService } from '../../../groups/groups.service.js';
import type { Organization } from '../../../organizations/organization.entity.js';
import { IdentitySecretsService } from '../../../organizations/identity-secrets.service.js';
import { OrganizationsService } from '../../../organizations/organizations.service.js';

/** The demo's data, which is printed at start and used by the demo page; stored in `demo.json` in the data directory. */
export interface Demo {
  organizationId: string;
  token: string;
  visitorId: string;
  chatId: string;
  /** The key that the page must send for its session; it is printed at start as part of the page's address. */
  key: string;
}

/** What the demo page needs to act as the demo's visitor and to show the bot's commands. */
export interface DemoSession {
  widgetKey: string;
  identity: string;
  chatId: string;
  botToken: string;
}

/** The demo's visitor, as the customer's server would sign them. */
const VISITOR = { sub: 'demo-visitor', name: 'Demo visitor' };
const KEY_LENGTH = 24;
/** How long the demo page may take to begin its session. */
const IDENTITY_LIFETIME = '1h';

// In demos of earlier releases, the visitor has no identity.
const SET_IDENTITY = `
  UPDATE visitors SET external_id = $3, signed_at = now() WHERE organization_id = $1 AND id = $2 AND external_id IS NULL`;

/** "demo" as a number: the advisory lock of the process that creates the demo. */
const DEMO_LOCK = 0x64656d6f;

// A chat that the bot hands over without naming a group is offered to who is online in the default one.
const GROUPS = [{ name: 'Sales' }, { name: 'Support', isDefault: true, routing: 'OFFER' }] as const;
const TEAM = [
  { name: 'Ada', role: 'ADMIN', groups: ['Sales', 'Support'] },
  { name: 'Grace', role: 'AGENT', groups: ['Support'] },
] as const;

/**
 * The demo organization, created on an empty database: three groups, one of them offering chats to two agents, a bot with a token,
 * and a visitor's chat.
 */
@Injectable()
export class DemoService {
  private readonly logger = new Logger(DemoService.name);
  private demo: Demo | null = null;

  constructor(
    private readonly config: Config,
    private readonly manager: EntityManager,
    private readonly organizations: OrganizationsService,
    private readonly audit: InstallationAudit,
    private readonly identitySecrets: IdentitySecretsService,
    private readonly groups: GroupsService,
    private readonly agents: AgentsService,
    private readonly bots: BotsService,
    private readonly tokens: AccessTokensService,
    private readonly visitors: VisitorsService,
    private readonly chats: ChatsService,
    private readonly accounts: AgentAccountsService,
    private readonly links: SignInLinksService,
  ) {}

  /** Creates the demo on an empty database, or finds the existing one; null when there is none. */
  async prepare(): Promise<Demo | null> {
    if (!this.config.DEMO) return null;
    if (!isLoopback(this.config.HOST)) return this.warnNotLoopback();
    this.demo = await this.findStored()
      .then((stored) => stored ?? this.createOnEmpty())
      .catch((err: unknown) => {
        this.logger.warn({ err }, 'could not create the demo organization');
        return null;
      });
    return this.demo;
  }

  /**
   * Makes a link that signs in to the demo as its administrator; an earlier one ends. In demos of earlier releases, the
   * first agent becomes the administrator.
   * @param origin the address of the service
   * @returns null if the demo's agent was deleted
   */
  makeLink(demo: Demo, origin: string): Promise<string | null> {
    return this.makeLinkToken(demo).then(
      (token) => token && this.links.urlOf(token, origin),
      (err: unknown) => {
        this.logger.warn({ err }, 'could not create the sign-in link of the demo');
        return null;
      },
    );
  }

  /**
   * Makes the same link for the page of the demo, which opens the console beside it.
   * @returns the token of the link
   * @throws Problem not_found without a demo, or without an agent in it; unauthorized without the key
   */
  async makePageLink(given: string | null): Promise<string> {
    return (await this.makeLinkToken(this.checkKey(given))) ?? notFound('Agent');
  }

  private async makeLinkToken({ organizationId }: Demo): Promise<string | null> {
    const context = systemContext(organizationId);
    const { items } = await this.agents.list(organizationId, { limit: MAX_PAGE_SIZE });
    const admin = items.find(({ role, isEnabled }) => role === 'ADMIN' && isEnabled) ?? items[0];
    if (!admin) return null;
    await this.accounts.update(context, admin.id, { role: 'ADMIN', isEnabled: true });
    return (await this.links.create(context, admin.id)).token;
  }

  /** @throws Problem not_found when there is no demo */
  getDemo(): Demo {
    return this.demo ?? notFound('Demo');
  }

  /** @throws Problem not_found; unauthorized without the key */
  async getSession(given: string | null): Promise<DemoSession> {
    const { organizationId, chatId, token } = this.checkKey(given);
    const { widgetKey } = await this.organizations.get(organizationId);
    const identity = await new SignJWT({ name: VISITOR.name })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(VISITOR.sub)
      .setExpirationTime(IDENTITY_LIFETIME)
      .sign(new TextEncoder().encode((await this.identitySecrets.list(organizationId))[0]));
    return { widgetKey, identity, chatId, botToken: token };
  }

  private checkKey(given: string | null): Demo {
    const demo = this.getDemo();
    if (given === null || !isSameSecret(given, demo.key))
      throw unauthorized('The demo key is missing or wrong; open the address that Parley printed at startup');
    return demo;
  }

  // Every client that reaches the service would reach the demo, which is meant for this machine only.
  private warnNotLoopback(): null {
    this.logger.warn(
      `the demo is off: DEMO requires a loopback HOST such as 127.0.0.1, and HOST is ${this.config.HOST}`,
    );
    return null;
  }

  // Null when the stored demo belongs to another database or was deleted.
  private async findStored(): Promise<Demo | null> {
    const text = await readFile(this.file, 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      const stored = JSON.parse(text) as Omit<Demo, 'key'> & Partial<Demo>;
      const demo = { ...stored, key: stored.key ?? randomText(KEY_LENGTH) };
      const token = this.tokens.parse(demo.token);
      if (!token || !(await this.tokens.authenticate(token))) return null;
      await this.chats.getOfVisitor(demo.organizationId, demo.visitorId, demo.chatId);
      await this.manager.query(SET_IDENTITY, [demo.organizationId, demo.visitorId, VISITOR.sub]);
      if (stored.key === undefined) await this.store(demo);
      return demo;
    } catch {
      return null;
    }
  }

  // Nodes that start together on an empty database create one demo.
  private createOnEmpty(): Promise<Demo | null> {
    return this.manager.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [DEMO_LOCK]);
      const rows: unknown[] = await tx.query('SELECT FROM organizations LIMIT 1');
      if (rows.length > 0) return null;
      makeDirectory(this.config.DATA_DIR);
      const demo = await this.create();
      await this.store(demo);
      return demo;
    });
  }

  private async create(): Promise<Demo> {
    const id = newId('org');
    const hooks = recordAll(this.audit.hooks<Organization>(systemContext(id), 'organization.created'));
    const { row } = await this.organizations.create({ name: 'Demo' }, hooks, id);
    const organizationId = row.id;
    const ids = new Map<string, string>();
    for (const group of GROUPS) ids.set(group.name, (await this.groups.create(organizationId, group)).id);
    for (const { name, role, groups } of TEAM) {
      const email = `${name.toLowerCase()}@example.com`;
      const groupIds = groups.map((group) => ids.get(group)!);
      await this.agents.create(organizationId, { name, email, role, groupIds });
    }
    const bot = await this.bots.create(organizationId, { name: 'Demo bot' });
    const { token } = await this.tokens.create(organizationId, bot.id, { name: 'Demo' });
    const visitorId = await this.visitors.create(organizationId, { name: VISITOR.name }, VISITOR.sub);
    const context = systemContext(organizationId);
    const chatId = await transaction(this.manager, (tx) => this.chats.create(tx, context, visitorId, {}));
    return { organizationId, token, visitorId, chatId, key: randomText(KEY_LENGTH) };
  }

  private async store(demo: Demo): Promise<void> {
    await writeFile(this.file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  }

  private get file(): string {
    return join(this.config.DATA_DIR, 'demo.json');
  }
}
