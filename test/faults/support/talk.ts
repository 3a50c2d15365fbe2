import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../support/client.js';
import { until } from '../../support/eventually.js';
import { Example } from '../../support/example.js';
import { disown, own } from '../../support/owned.js';
import { ServiceProcess } from '../../support/process.js';
import { createTenant } from '../../support/tenant.js';
import { ClientVisitor } from './client-visitor.js';
import { ADMIN_TOKEN, type Cluster } from './cluster.js';
import { Ledger } from './ledger.js';
import type { Random } from './random.js';
import { compareVisitors } from './verify.js';

const VISITORS = 6;
/** Milliseconds for the last answers after the repair. */
const PATIENCE = 60_000;

interface Row {
  id: string;
  chatId: string;
  seq: number;
  sender: string;
  content: string;
}

/** The example echo bot, over pull, as a process that can be killed. */
class EchoBot {
  kills = 0;
  private readonly example = Example.install('echo-bot');
  private process!: ServiceProcess;

  constructor(private readonly environment: NodeJS.ProcessEnv) {
    this.start();
  }

  /** How it ended, unless it was killed. */
  get end(): string | null {
    const { exitCode, signalCode } = this.process.child;
    return exitCode === null && signalCode === null ? null : `${exitCode ?? signalCode}: ${this.process.output}`;
  }

  start(): void {
    this.process = ServiceProcess.spawn(this.environment, this.example.file('echo-bot.mjs'));
    own(this.process.child.pid!);
  }

  async kill(): Promise<void> {
    this.kills++;
    await this.process.kill('SIGKILL');
    disown(this.process.child.pid!);
  }

  async close(): Promise<void> {
    await this.kill();
    this.example.remove();
  }
}

/** Kills the bot while it works, the node that it calls, and PostgreSQL, one after the other. */
export async function killEach({ nodes, postgres }: Cluster, bot: EchoBot, random: Random): Promise<void> {
  await bot.kill();
  await sleep(random.between(0, 300));
  bot.start();
  await sleep(random.between(500, 1_500));
  await nodes[0]!.end('SIGKILL');
  await Promise.all([nodes[0]!.restart(), random.isHeads(0.5) && bot.kill().then(() => bot.start())]);
  await sleep(random.between(300, 1_000));
  postgres.kill();
  await sleep(random.between(0, 500));
  await postgres.restart();
  await sleep(random.between(500, 1_500));
}

/** Visitors who talk with an SDK bot, and their acknowledged messages. */
export class Talk {
  private isOver = false;
  private work: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly bot: EchoBot,
    private readonly visitors: ClientVisitor[],
    private readonly ledger: Ledger,
    private readonly organizationId: string,
    private readonly subscription: Client,
  ) {}

  static async start({ nodes }: Cluster, random: Random): Promise<Talk> {
    const urls = nodes.map(({ url }) => url);
    const tenant = await createTenant(urls[0]!, ADMIN_TOKEN, { name: 'A bot on the SDK' });
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['VISITOR'] }).expect(200);
    const names = Array.from({ length: VISITORS }, (_, index) => `talker${index}`);
    const ledger = new Ledger(names);
    const visitors = await Promise.all(
      names.map((name, index) => ClientVisitor.open(name, urls, index, tenant.widgetKey, ledger)),
    );
    const bot = new EchoBot({ PARLEY_URL: urls[0], PARLEY_TOKEN: tenant.token });
    const talk = new Talk(bot, visitors, ledger, tenant.id, tenant.bot);
    talk.work = Promise.all(visitors.map((visitor) => talk.speak(visitor, random)));
    talk.work.catch(() => undefined);
    return talk;
  }

  /** Waits until nothing is in progress. Returns the faults in words. */
  async verify(cluster: Cluster): Promise<{ answered: number; kills: number; faults: string[] }> {
    await cluster.areReady();
    this.isOver = true;
    await this.work;
    const said = this.ledger.acked.size;
    const count = async () => (await this.rows(cluster)).filter(({ sender }) => sender === 'BOT').length;
    await until('all are answered', async () => (await count()) >= said, PATIENCE).catch(() => undefined);
    // Events that the bot hasn't completed may be sent again, and would be answered again.
    const pending = async () => (await this.subscription.get('/subscription').expect(200)).body.pending as number;
    await until('all are done', async () => (await pending()) === 0, PATIENCE);
    const faults = [...this.ledger.faults, ...(this.bot.end === null ? [] : [`the bot ended with ${this.bot.end}`])];
    const rows = await this.rows(cluster);
    const answered = this.compareAnswers(rows, faults);
    await compareVisitors({ visitors: this.visitors }, rows, faults);
    return { answered, kills: this.bot.kills, faults };
  }

  async close(): Promise<void> {
    this.isOver = true;
    for (const visitor of this.visitors) visitor.close();
    await this.bot.close();
  }

  private async speak(visitor: ClientVisitor, random: Random): Promise<void> {
    for (let count = 0; !this.isOver; count++) {
      await visitor.say(`${visitor.name}-${count}`);
      await sleep(random.between(150, 400));
    }
  }

  private rows({ postgres }: Cluster): Promise<Row[]> {
    return postgres.query<Row>(
      `SELECT id, chat_id AS "chatId", seq, sender_type AS sender, content FROM messages
       WHERE organization_id = $1 ORDER BY chat_id, seq`,
      [this.organizationId],
    );
  }

  /** Every acked message is stored once and answered once, and a chat's answers have the order of its messages. */
  private compareAnswers(rows: Row[], faults: string[]): number {
    let answered = 0;
    for (const { name, chatId } of this.visitors) {
      const own = rows.filter((row) => row.chatId === chatId);
      const said = own.filter(({ sender }) => sender === 'VISITOR').map(({ content }) => content);
      const answers = own.filter(({ sender }) => sender === 'BOT').map(({ content }) => content);
      const wanted = [...this.ledger.acked.keys()].filter((content) => content.startsWith(`${name}-`));
      if (said.join() !== wanted.join()) faults.push(`${name} said ${wanted.length}, and ${said.length} are stored`);
      const expected = said.map((content) => `You said: ${content}`);
      if (answers.join() === expected.join()) answered += answers.length;
      else faults.push(`${name}: ${answers.length} answers to ${said.length} messages, ${describe(answers, expected)}`);
    }
    return answered;
  }
}

function describe(answers: string[], expected: string[]): string {
  const length = Math.max(answers.length, expected.length);
  const place = Array.from({ length }).findIndex((_, index) => answers[index] !== expected[index]);
  return `the ${place + 1}th is ${answers[place]} instead of ${expected[place]}`;
}
