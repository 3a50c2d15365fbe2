import { Injectable, Logger } from '@nestjs/common';
import { SignJWT } from 'jose';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EntityManager } from 'typeorm';
import { AgentsService } from '../../../agents/agents.service.js';
import { systemContext } from '../../../auth/request-context.js';
import { AccessTokensService } from '../../../auth/access-tokens.service.js';
import { unauthorized } from '../../../platform/http/bearer.js';
import { BotsService } from '../../../bots/bots.service.js';
import { ChatsService } from '../../../chats/chats.service.js';
import { VisitorsService } from '../../../visitors/visitors.service.js';
import { Config } from '../../../platform/config/config.js';
import { isLoopback } from '../../../platform/config/loopback.js';
import { makeDirectory } from '../../../platform/config/make-directory.js';
import { notFound } from '../../../platform/http/problem.js';
import { isSameSecret, randomText } from '../../../platform/lib/secrets.js';
import { GroupsService } from '../../../groups/groups.service.js';
import { OrganizationsService } from '../../../organizations/organizations.service.js';

/** What the start prints and the demo page needs; kept in `demo.json` under the data directory. */
export interface Demo {
  organizationId: string;
  token: string;
  visitorId: string;
  chatId: string;
  /** What the page has to show for its session: the start prints it behind the page's address. */
  key: string;
}

/** What the demo page needs to be the demo's visitor, and to show how the bot speaks. */
export interface DemoSession {
  widgetKey: string;
  identity: string;
  chatId: string;
  botToken: string;
}

/** The demo's visitor, as the demo's own server would name them. */
const VISITOR = { sub: 'demo-visitor', name: 'Demo visitor' };
const KEY_LENGTH = 24;
/** How long a page of the demo may take to begin its session. */
const IDENTITY_LIFETIME = '1h';

// Demos of earlier versions have a visitor without an identity.
const NAME_VISITOR = `
  UPDATE visitors SET external_id = $3, signed_at = now() WHERE organization_id = $1 AND id = $2 AND external_id IS NULL`;

/** "demo" as a number: the advisory lock of whoever makes the demo. */
const DEMO_LOCK = 0x64656d6f;

const TEAM = [
  { group: 'Sales', agents: ['Ada', 'Grace'] },
  { group: 'Support', agents: ['Linus', 'Margaret', 'Barbara'] },
];

/** A demo organization, made on an empty database: three groups, agents, a bot with a token, a visitor's chat. */
@Injectable()
export class DemoService {
  private readonly logger = new Logger(DemoService.name);
  private demo: Demo | null = null;

  constructor(
    private readonly config: Config,
    private readonly manager: EntityManager,
    private readonly organizations: OrganizationsService,
    private readonly groups: GroupsService,
    private readonly agents: AgentsService,
    private readonly bots: BotsService,
    private readonly tokens: AccessTokensService,
    private readonly visitors: VisitorsService,
    private readonly chats: ChatsService,
  ) {}

  /** Makes the demo when nothing is there yet, else finds the one made before; null when there is none. */
  async prepare(): Promise<Demo | null> {
    if (!this.config.DEMO) return null;
    if (!isLoopback(this.config.HOST)) return this.refuse();
    this.demo = await this.findKept()
      .then((kept) => kept ?? this.makeOnEmpty())
      .catch((err: unknown) => {
        this.logger.warn({ err }, 'there is no demo');
        return null;
      });
    return this.demo;
  }

  /** @throws Problem not_found when there is no demo */
  mustExist(): Demo {
    return this.demo ?? notFound('Demo');
  }

  /** @throws Problem not_found; unauthorized without the key */
  async getSession(given: string | null): Promise<DemoSession> {
    const { organizationId, chatId, token, key } = this.mustExist();
    if (given === null || !isSameSecret(given, key)) throw unauthorized('Open the address that the start printed');
    const { widgetKey } = await this.organizations.get(organizationId);
    const identity = await new SignJWT({ name: VISITOR.name })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(VISITOR.sub)
      .setExpirationTime(IDENTITY_LIFETIME)
      .sign(new TextEncoder().encode(await this.organizations.getIdentitySecret(organizationId)));
    return { widgetKey, identity, chatId, botToken: token };
  }

  // Who reaches the service would reach the demo: it is for the machine it runs on.
  private refuse(): null {
    this.logger.warn(
      `there is no demo: DEMO needs a HOST that is loopback (127.0.0.1), and HOST is ${this.config.HOST}`,
    );
    return null;
  }

  // Kept, but of another database or deleted since: then it is no more.
  private async findKept(): Promise<Demo | null> {
    const text = await readFile(this.file, 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      const kept = JSON.parse(text) as Omit<Demo, 'key'> & Partial<Demo>;
      const demo = { ...kept, key: kept.key ?? randomText(KEY_LENGTH) };
      const token = this.tokens.read(demo.token);
      if (!token || !(await this.tokens.authenticate(token))) return null;
      await this.chats.getOfVisitor(demo.organizationId, demo.visitorId, demo.chatId);
      await this.manager.query(NAME_VISITOR, [demo.organizationId, demo.visitorId, VISITOR.sub]);
      if (kept.key === undefined) await this.keep(demo);
      return demo;
    } catch {
      return null;
    }
  }

  // Nodes that start together on one empty database make one demo.
  private makeOnEmpty(): Promise<Demo | null> {
    return this.manager.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [DEMO_LOCK]);
      const rows: unknown[] = await tx.query('SELECT FROM organizations LIMIT 1');
      if (rows.length > 0) return null;
      makeDirectory(this.config.DATA_DIR);
      const demo = await this.make();
      await this.keep(demo);
      return demo;
    });
  }

  private async make(): Promise<Demo> {
    const { row } = await this.organizations.create({ name: 'Demo' });
    const organizationId = row.id;
    for (const { group, agents } of TEAM) {
      const { id } = await this.groups.create(organizationId, { name: group });
      for (const name of agents) {
        await this.agents.create(organizationId, { name, email: `${name.toLowerCase()}@example.com`, groupIds: [id] });
      }
    }
    const bot = await this.bots.create(organizationId, 'Demo bot');
    const { token } = await this.tokens.create(organizationId, bot.id, 'Demo', null);
    const visitorId = await this.visitors.create(organizationId, { name: VISITOR.name }, VISITOR.sub);
    const chatId = await this.chats.create(this.manager, systemContext(organizationId), visitorId, {});
    return { organizationId, token, visitorId, chatId, key: randomText(KEY_LENGTH) };
  }

  private async keep(demo: Demo): Promise<void> {
    await writeFile(this.file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  }

  private get file(): string {
    return join(this.config.DATA_DIR, 'demo.json');
  }
}
