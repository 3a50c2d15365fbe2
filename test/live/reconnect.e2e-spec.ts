import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

/** The minimum; more until the visitor was disconnected often enough. */
const SENDS = 1_000;
const CUTS = 16;

/**
 * A visitor that follows the delivery rule: drop what was applied, apply what is next, hold what is later, and sync.
 */
class FollowingVisitor {
  readonly applied: number[] = [];
  private readonly held = new Set<number>();
  private link?: VisitorSocket;

  constructor(
    private readonly url: string,
    private readonly tenant: Tenant,
  ) {}

  async connect(): Promise<void> {
    const link = await VisitorSocket.connect(this.url, this.tenant.visitorToken);
    this.link = link;
    link.socket.on('message', ({ seq }: { seq: number }) => this.take(seq, link));
    await this.catchUp(link, 'chat:open');
  }

  cut(): void {
    this.link?.socket.io.engine.close();
  }

  close(): void {
    this.link?.close();
  }

  private take(seq: number, link: VisitorSocket): void {
    if (seq <= this.applied.length) return;
    this.held.add(seq);
    while (this.held.delete(this.applied.length + 1)) this.applied.push(this.applied.length + 1);
    if (this.held.size > 0) void this.catchUp(link, 'sync').catch(() => undefined);
  }

  private async catchUp(link: VisitorSocket, event: 'chat:open' | 'sync'): Promise<void> {
    const answer = await link.ask(event, { chatId: this.tenant.chatId, afterSeq: this.applied.length });
    if (!answer.ok) throw new Error(answer.error.detail);
    for (const { seq } of answer.messages) this.take(seq, link);
    if (answer.hasMore) await this.catchUp(link, 'sync');
  }
}

describe('a visitor who is disconnected again and again', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  it('a visitor who is disconnected again and again sees all messages once and in order', async () => {
    const visitor = new FollowingVisitor(parley.url, tenant);
    await visitor.connect();
    let sent = 0;
    let cuts = 0;
    let target = 0;
    let reach: () => void = () => undefined;
    const isOver = () => sent >= SENDS && cuts >= CUTS;
    const sender = async () => {
      while (!isOver()) {
        if (++sent >= target) reach();
        await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'x' }).expect(200);
      }
    };
    const cutter = async () => {
      while (!isOver()) {
        target = sent + 5 + Math.floor(Math.random() * 40);
        await new Promise<void>((resolve) => (reach = resolve));
        visitor.cut();
        cuts++;
        await visitor.connect().catch(() => visitor.connect());
      }
    };
    const sending = Promise.all(Array.from({ length: 8 }, sender)).then(() => reach());
    await Promise.all([sending, cutter()]);
    await visitor.connect();
    expect(visitor.applied).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
    visitor.close();
  });
});
