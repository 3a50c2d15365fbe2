import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../support/eventually.js';
import { Receiver } from '../../../support/receiver.js';
import { createTenant, type Tenant } from '../../../support/tenant.js';
import { Client } from '../../../support/client.js';
import { ADMIN_TOKEN, type Installation } from '../cluster.js';
import type { Ledger } from '../ledger.js';
import { Random } from '../random.js';
import { Caller } from './caller.js';
import { eventKey, Journal } from './journal.js';
import { Watch } from './watch.js';
import { Worker } from './worker.js';

/** How often a bot hands over one chat before it takes the next. */
const HANDOFFS = 3;
/** Milliseconds between two checks of a chat that a bot has handed over. */
const LOOK = 500;
/**
 * This many agents keep both cores of a small machine about half busy. More agents work more slowly: a load that fills
 * the machine makes chats wait for the machine, independent of the service.
 */
const UNHURRIED = 12;
/**
 * Seconds until a waiting chat goes back to the bot. No agent is in the deserted group, so every chat does there;
 * in the other groups only chats that each agent has had or declined do.
 */
const MAX_WAIT = { deserted: 1, others: 8 };
/** Milliseconds between two chats that the supervisor assigns. */
const INTERVENTION = 700;
/** Seconds of an offer, less than the API allows. */
const OFFER_SECONDS = 5;
/** Milliseconds until disconnected agents may be absent: 15 s, minus a second for both machines. */
const GRACE = 14_000;

const WAITING = { maxWaitSeconds: MAX_WAIT.others, onUnanswered: 'RETURN_TO_BOT' };
const ROUTED = { OFFER: 'Offers', AUTOMATIC: 'Automatic', MANUAL: 'Manual' } as const;

/**
 * An organization with working agents: a bot hands its chats to groups of each routing, and agents take and return
 * them.
 */
export class Crew {
  readonly journal = new Journal();
  private readonly workers: Worker[] = [];
  private isOver = false;
  private isGivenUp = false;
  private work: Promise<unknown> = Promise.resolve();
  private cases = 0;

  private constructor(
    readonly tenant: Tenant,
    readonly receiver: Receiver,
    readonly watch: Watch,
    readonly urls: string[],
    private readonly ledger: Ledger,
    private readonly random: Random,
    private readonly groups: Record<keyof typeof ROUTED | 'DESERTED', string>,
    private readonly supervisor: Caller,
    /** Slows down everyone by this factor. */
    private readonly pace: number,
  ) {}

  /** @param size the number of agents */
  static async start(cluster: Installation, ledger: Ledger, urls: string[], seed: number, size: number): Promise<Crew> {
    const random = new Random(seed);
    const { url } = cluster.nodes[0]!;
    const tenant = await createTenant(url, ADMIN_TOKEN, { name: `Agents ${seed}` });
    const receiver = await Receiver.start();
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    const group = async (name: string, routing: string): Promise<string> =>
      (await tenant.admin.post('/groups', { name, routing, ...WAITING }).expect(201)).body.id;
    const groups = {
      OFFER: await group(ROUTED.OFFER, 'OFFER'),
      AUTOMATIC: await group(ROUTED.AUTOMATIC, 'AUTOMATIC'),
      MANUAL: await group(ROUTED.MANUAL, 'MANUAL'),
      DESERTED: await group('Deserted', 'AUTOMATIC'),
    };
    await cluster.postgres.query('UPDATE groups SET offer_seconds = $2 WHERE organization_id = $1', [
      tenant.id,
      OFFER_SECONDS,
    ]);
    const chief = await signIn(url, tenant, { name: 'Chief', role: 'SUPERVISOR' });
    const supervisor = new Caller(urls, chief.token, ledger, new Random(seed + 1));
    const watch = new Watch(cluster.postgres, tenant.id);
    const crew = new Crew(
      tenant,
      receiver,
      watch,
      urls,
      ledger,
      random,
      groups,
      supervisor,
      Math.max(1, size / UNHURRIED),
    );
    await crew.gather(url, size, seed);
    crew.begin();
    return crew;
  }

  /** Stops handing over chats. Resolves once each chat is with the bot or has ended. */
  async rest(postgres: Installation['postgres']): Promise<void> {
    this.isOver = true;
    const open = () =>
      postgres.query<Record<string, string>>(
        `SELECT id, status, agent_id, group_id FROM chats
         WHERE organization_id = $1 AND (status = 'QUEUED' OR agent_id IS NOT NULL)`,
        [this.tenant.id],
      );
    await until('every chat was answered', async () => (await open()).length === 0).catch(async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify((await open()).slice(0, 5))}`);
    });
    await this.work;
    for (const worker of this.workers) await worker.rest();
    await this.watch.stop();
  }

  async close(): Promise<void> {
    this.isOver = true;
    this.isGivenUp = true;
    await this.watch.stop();
    for (const worker of this.workers) worker.close();
    this.supervisor.close();
    await this.receiver.close();
  }

  /** The agents sign in and connect: a third of them in each group. */
  private async gather(url: string, size: number, seed: number): Promise<void> {
    const { OFFER, AUTOMATIC, MANUAL } = this.groups;
    const groupIds = [OFFER, AUTOMATIC, MANUAL];
    for (let index = 0; index < size; index++) {
      const own = groupIds[index % groupIds.length]!;
      const { id, token } = await signIn(url, this.tenant, { name: `Agent ${index}`, capacity: 2, groupIds: [own] });
      const random = new Random(seed + 10 + index);
      const caller = new Caller(this.urls, token, this.ledger, random);
      const claimsIn = own === MANUAL ? MANUAL : null;
      const options = { id, token, urls: this.urls, groupIds, claimsIn, pace: this.pace };
      this.workers.push(new Worker(options, caller, this.journal, random, (seen) => this.seePresence(seen)));
    }
    await until('every agent is connected', () => this.workers.every(({ connectedAt }) => connectedAt !== null));
    this.watch.start(() => this.present());
  }

  private begin(): void {
    const slots = this.workers.length;
    this.work = Promise.all([...Array.from({ length: slots }, (_, slot) => this.hand(slot)), this.intervene()]);
    this.work.catch(() => undefined);
  }

  /** The agents who have been connected for a moment. */
  private present(): string[] {
    const now = performance.now();
    return this.workers.filter(({ connectedAt }) => now - (connectedAt ?? now) > 1_000).map(({ id }) => id);
  }

  // Every node reports colleagues' presence.
  private seePresence({ agentId, presence }: { agentId: string; presence: string }): void {
    const worker = this.workers.find(({ id }) => id === agentId);
    if (presence !== 'OFFLINE' || !worker) return;
    const isAway = worker.connectedAt === null && performance.now() - worker.lostAt > GRACE;
    if (!isAway && !this.isOver) this.journal.faults.push('an agent who was there was shown OFFLINE');
  }

  /** A bot: creates a chat, hands it over, waits until it's returned, a few times; then the next chat. */
  private async hand(slot: number): Promise<void> {
    const { urls, ledger, random, tenant } = this;
    const bot = new Caller(urls, tenant.token, ledger, new Random(random.next() * 1e9));
    // Not all at the same moment.
    await sleep(random.between(0, LOOK * this.pace));
    while (!this.isOver) {
      const chatId = await this.newChat();
      for (let count = 0; count < HANDOFFS && !this.isOver; count++) {
        await this.transfer(bot, chatId, `${slot}-${this.cases++}`);
        if ((await this.back(bot, chatId)) === 'NOBODY') break;
      }
    }
    bot.close();
  }

  private async newChat(): Promise<string> {
    const admin = new Caller(this.urls, ADMIN_TOKEN, this.ledger, this.random);
    const path = `/api/admin/organizations/${this.tenant.id}/chats`;
    const { body } = await admin.call({ what: 'a chat is made', path });
    admin.close();
    return body.id;
  }

  private async transfer(bot: Caller, chatId: string, reason: string): Promise<void> {
    const targetGroupId = this.random.pick(Object.values(this.groups));
    const isDeserted = targetGroupId === this.groups.DESERTED;
    const maxWaitSeconds = isDeserted ? MAX_WAIT.deserted : MAX_WAIT.others;
    const body = { chatId, targetGroupId, reason, maxWaitSeconds, onUnanswered: 'RETURN_TO_BOT' };
    const headers = { 'Idempotency-Key': reason };
    const answer = await bot.call({ what: 'a transfer', path: '/api/bot/transfer', body, headers });
    this.journal.note(eventKey('chat.transferred', chatId, reason), answer);
  }

  private async back(bot: Caller, chatId: string): Promise<string> {
    while (!this.isGivenUp) {
      await sleep(LOOK * this.pace);
      const { body } = await bot.call({ what: `a bot's look`, method: 'GET', path: `/api/bot/chats/${chatId}` });
      if (body.owner === 'BOT' || body.owner === 'NOBODY') return body.owner;
    }
    return 'NOBODY';
  }

  /** A supervisor assigns waiting chats to agents, even chats that are offered to another agent at that moment. */
  private async intervene(): Promise<void> {
    const { OFFER } = this.groups;
    const people = this.workers.filter((_, index) => index % 3 === 0);
    const path = `/api/agent/chats?view=WAITING&groupId=${OFFER}`;
    while (!this.isOver) {
      await sleep(INTERVENTION);
      const { body } = await this.supervisor.call({ what: 'a supervisor reads', method: 'GET', path });
      const chat = body.chats.at(-1);
      if (!chat) continue;
      const { id: agentId } = this.random.pick(people);
      const call = { what: 'a supervisor assigns', path: `/api/agent/chats/${chat.id}/assign`, body: { agentId } };
      this.journal.noteVague(eventKey('chat.assigned', chat.id, agentId), await this.supervisor.call(call));
    }
  }
}

/** Signs in a new agent, with a token. */
export async function signIn(
  url: string,
  { admin }: Pick<Tenant, 'admin'>,
  fields: object,
): Promise<{ id: string; token: string }> {
  const email = `${Math.random().toString(36).slice(2)}@example.com`;
  const { body: agent } = await admin.post('/agents', { email, ...fields }).expect(201);
  const { body: link } = await admin.post(`/agents/${agent.id}/sign-in-links`, {}).expect(201);
  const { body: session } = await new Client(`${url}/api/agent`)
    .post('/session/link', { token: new URL(link.url).hash.slice(1), mode: 'token' })
    .expect(201);
  return { id: agent.id, token: session.token };
}
