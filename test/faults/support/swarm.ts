import { setTimeout as sleep } from 'node:timers/promises';
import { Receiver } from '../../support/receiver.js';
import { createTenant } from '../../support/tenant.js';
import { Crew, signIn } from './agents/crew.js';
import { ClientVisitor } from './client-visitor.js';
import { ADMIN_TOKEN, type Installation } from './cluster.js';
import { Ledger } from './ledger.js';
import { until } from '../../support/eventually.js';
import { Puller } from './puller.js';
import { Random } from './random.js';
import { RawVisitor } from './raw-visitor.js';
import { Sender } from './sender.js';
import type { Visitor } from './visitor.js';

const SENDERS = 8;
const VISITORS = 8;

export interface SwarmOptions {
  seed: number;
  /** Whether all clients connect through the nodes' proxies, which can reset connections. */
  isByRoad?: boolean;
  /** Whether no request of a bot may fail. */
  isStrict?: boolean;
  /** How many agents work in an organization of their own; none by default. */
  agents?: number;
}

/**
 * An organization in use: bots that send, visitors who listen and write, and a webhook and a poll that receive every
 * event.
 */
export class Swarm {
  private isOver = false;
  private isGivenUp = false;
  private work: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly ledger: Ledger,
    readonly visitors: Visitor[],
    /** An agent's sockets that follow the visitors' chats; none without agents. */
    readonly followers: Visitor[],
    readonly receiver: Receiver,
    readonly puller: Puller,
    readonly organizationId: string,
    readonly crew: Crew | null,
    private readonly senders: Sender[],
    private readonly random: Random,
  ) {}

  static async start(cluster: Installation, options: SwarmOptions): Promise<Swarm> {
    const { seed, isByRoad = false, isStrict = false, agents = 0 } = options;
    const random = new Random(seed);
    const urls = cluster.nodes.map((node) => (isByRoad ? node.road.url : node.url));
    const { id, admin, widgetKey, token, bot } = await createTenant(cluster.nodes[0]!.url, ADMIN_TOKEN, {
      name: `Faults ${seed}`,
    });
    const receiver = await Receiver.start();
    await admin.post('/webhooks', { url: receiver.url, events: ['message.created'] }).expect(201);
    const senderTypes = ['BOT', 'VISITOR', 'AGENT', 'SYSTEM'];
    await bot.put('/subscription', { events: ['message.created'], senderTypes }).expect(200);
    const puller = new Puller(urls, token);

    const names = Array.from({ length: VISITORS }, (_, index) => `visitor${index}`);
    const senderNames = Array.from({ length: SENDERS }, (_, index) => `sender${index}`);
    const ledger = new Ledger([...names, ...senderNames]);
    const visitors = await Promise.all(
      names.map(async (name, index): Promise<Visitor> => {
        if (index % 2) return ClientVisitor.open(name, urls, index, widgetKey, ledger);
        const { body: chat } = await admin.post('/chats', { visitor: { name } }).expect(201);
        return new RawVisitor(name, urls, chat.visitorToken, chat.id, ledger, new Random(seed + index));
      }),
    );
    const senders = await Promise.all(
      senderNames.map(async (name, index) => {
        const { body: own } = await admin.post('/chats', {}).expect(201);
        const chats = [visitors[index % VISITORS]!.chatId, own.id];
        return new Sender({ name, urls, token, chats, isStrict }, ledger, new Random(seed + 100 + index));
      }),
    );
    const crew = agents > 0 ? await Crew.start(cluster, ledger, urls, seed, agents) : null;
    const followers: Visitor[] = [];
    if (crew) {
      const { token: chief } = await signIn(urls[0]!, { admin }, { name: 'Chief', role: 'SUPERVISOR' });
      for (const { name, chatId } of visitors) {
        followers.push(new RawVisitor(`the agent of ${name}`, urls, chief, chatId, ledger, random, 'agent'));
      }
    }
    const swarm = new Swarm(ledger, visitors, followers, receiver, puller, id, crew, senders, random);
    swarm.begin();
    await swarm.settles();
    return swarm;
  }

  /** The fault is over: waits until every sender is acked again. */
  async settles(): Promise<void> {
    this.ledger.call();
    await Promise.race([
      until('everybody is acked again', () => this.ledger.isSettled).catch((error: Error) => {
        throw new Error(`${error.message}: ${this.ledger.waiting}`);
      }),
      this.work,
    ]);
  }

  /** Stops sending, and finishes what was started. */
  async rest({ postgres }: Pick<Installation, 'postgres'>): Promise<void> {
    this.isOver = true;
    await this.work;
    await this.crew?.rest(postgres);
  }

  async close(): Promise<void> {
    this.isOver = true;
    this.isGivenUp = true;
    for (const visitor of [...this.visitors, ...this.followers]) visitor.close();
    await this.crew?.close();
    await this.receiver.close();
    await this.puller.close();
  }

  private begin(): void {
    const isOver = () => this.isOver;
    this.work = Promise.all([
      ...this.senders.map((sender) => sender.run(isOver)),
      ...this.visitors.map((visitor) => this.talk(visitor)),
    ]);
    this.work.catch(() => undefined);
  }

  private async talk(visitor: Visitor): Promise<void> {
    for (let count = 0; !this.isOver; count++) {
      await visitor.say(`${visitor.name}-${count}`, () => this.isGivenUp);
      await sleep(this.random.between(50, 150));
    }
  }
}
