import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { VisitorMissedMessages } from '../../src/live/visitors/visitor-missed-messages.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

/** Syncs when it receives a seq that is later than its last. */
class FollowingVisitor {
  readonly applied: number[] = [];

  private constructor(
    readonly link: VisitorSocket,
    private readonly chatId: string,
  ) {
    link.socket.on('message', ({ seq }: { seq: number }) => void this.take(seq)?.catch(() => undefined));
    link.socket.on('seq', ({ latestSeq }: { latestSeq: number }) => {
      if (latestSeq > this.applied.length) void this.catchUp('sync').catch(() => undefined);
    });
  }

  static async connect(url: string, { visitorToken, chatId }: Tenant): Promise<FollowingVisitor> {
    const visitor = new FollowingVisitor(await VisitorSocket.connect(url, visitorToken), chatId);
    await visitor.catchUp('chat:open');
    return visitor;
  }

  async has(count: number): Promise<void> {
    await until(`${count} messages are applied`, () => this.applied.length >= count);
  }

  private take(seq: number): Promise<void> | undefined {
    if (seq === this.applied.length + 1) this.applied.push(seq);
    return seq > this.applied.length ? this.catchUp('sync') : undefined;
  }

  private async catchUp(event: 'chat:open' | 'sync'): Promise<void> {
    const { messages } = await this.link.ask(event, { chatId: this.chatId, afterSeq: this.applied.length });
    for (const { seq } of messages) await this.take(seq);
  }
}

describe('seq hints', () => {
  let here: Parley;
  let there: Parley;
  let tenant: Tenant;
  const open: VisitorSocket[] = [];

  beforeAll(async () => {
    here = await Parley.start();
    there = await Parley.start({}, here.databaseUrl);
    expect(here.app.get(Timings).seqHints).toBe(5_000);
    here.app.get(Timings).seqHints = 50;
  });
  afterAll(async () => {
    await there.stop();
    await here.stop();
  });
  afterEach(async () => {
    for (const visitor of open.splice(0)) visitor.close();
    await until('nobody listens', () => known().size === 0);
    here.app.get(Timings).seqHints = 50;
  });
  beforeEach(async () => {
    tenant = await here.createTenant();
  });

  const say = (parley: Parley, chatId = tenant.chatId) =>
    parley.bot(tenant.token).post('/messages', { chatId, content: 'x' }).expect(200);
  const follow = async () => {
    const visitor = await FollowingVisitor.connect(here.url, tenant);
    open.push(visitor.link);
    return visitor;
  };
  const hints = () =>
    here.app.get(VisitorMissedMessages) as unknown as {
      known: Map<string, unknown>;
      sweep: { isFailing: boolean; trigger(): void };
    };
  const known = () => hints().known;

  it('a hint brings messages that another process stored to a client that follows the rule', async () => {
    const visitor = await follow();
    await say(there);
    await visitor.has(1);
    expect(visitor.link.all('message')).toMatchObject([{ chatId: tenant.chatId, seq: 1, content: 'x' }]);
    await say(there);
    await say(here);
    await say(there);
    await visitor.has(4);
    expect(visitor.applied).toEqual([1, 2, 3, 4]);
  });

  it('hints bring the first of many messages, and the seq of the rest', async () => {
    here.app.get(Timings).seqHints = 60_000;
    const visitor = await follow();
    for (let count = 0; count < 30; count++) await say(there);
    hints().sweep.trigger();
    await visitor.has(30);
    expect(visitor.applied).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(visitor.link.all('message').map(({ seq }) => seq)).toEqual(visitor.applied.slice(0, 20));
    expect(visitor.link.all('seq')).toEqual([{ chatId: tenant.chatId, latestSeq: 30 }]);
  });

  it('a hint reaches one tab even if another has just learned it by opening the chat', async () => {
    here.app.get(Timings).seqHints = 60_000;
    const visitor = await follow();
    await say(there);
    const second = await follow();
    expect(second.applied).toEqual([1]);
    await visitor.has(1);
    expect(visitor.link.all('seq')).toEqual([{ chatId: tenant.chatId, latestSeq: 1 }]);
    expect(second.link.all('seq')).toEqual([]);
  });

  it('hints go to sockets that listen to the chat, and contain nothing already known', async () => {
    here.app.get(Timings).seqHints = 60_000;
    const other = await here.createTenant();
    const [visitor, stranger] = [await follow(), await FollowingVisitor.connect(here.url, other)];
    open.push(stranger.link);
    for (let count = 0; count < 3; count++) await say(here);
    await visitor.has(3);
    await say(there);
    hints().sweep.trigger();
    await visitor.has(4);
    expect(visitor.link.all('message').map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect([...stranger.link.all('seq'), ...stranger.link.all('message')]).toEqual([]);
  });

  it('hints of a chat are forgotten with its last listener', async () => {
    const visitor = await follow();
    expect(known().has(tenant.chatId)).toBe(true);
    visitor.link.close();
    await until('nobody listens', () => !known().has(tenant.chatId));
    await say(here);
    expect(known().has(tenant.chatId)).toBe(false);
  });

  it('hints continue after a database outage', async () => {
    const visitor = await follow();
    await here.query('ALTER TABLE chats RENAME COLUMN message_count TO away');
    await until('a look fails', () => hints().sweep.isFailing);
    await here.query('ALTER TABLE chats RENAME COLUMN away TO message_count');
    await say(there);
    await visitor.has(1);
  });
});
