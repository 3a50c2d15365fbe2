import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { until } from '../support/eventually.js';
import { sayInChats } from '../support/pull-client.js';

/** A copy of a bot, which remembers the events that it was sent and hasn't acknowledged. */
class Copy {
  open = new Map<string, { chatId: string; seq: number }>();
  private answer?: { ack: string; ids: string[] };

  constructor(
    private readonly tenant: Tenant,
    readonly name: string,
  ) {}

  /** @returns the events. Acknowledges the last answer, unless `isAcked` is false */
  async poll({ limit = 100, isAcked = true, lease = 30, foreignAck = '' } = {}): Promise<
    { id: string; chatId: string; seq: number }[]
  > {
    const own = isAcked && this.answer ? `&ack=${this.answer.ack}` : '';
    const ack = foreignAck ? `&ack=${foreignAck}` : own;
    const path = `/events?wait=0&share=${this.name}&limit=${limit}&lease=${lease}${ack}`;
    const { body } = await this.tenant.bot.get(path).expect(200);
    if (own) for (const id of this.answer!.ids) this.open.delete(id);
    const events = body.events.map(({ id, data }: any) => ({ id, chatId: data.chat.id, seq: data.message.seq }));
    for (const { id, ...rest } of events) this.open.set(id, rest);
    this.answer = { ack: body.ack, ids: events.map(({ id }: { id: string }) => id) };
    return events;
  }

  get ack(): string {
    return this.answer!.ack;
  }

  get chats(): Set<string> {
    return new Set([...this.open.values()].map(({ chatId }) => chatId));
  }
}

describe('copies of a bot that share its events', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
  });

  const say = (content: string, chatId = tenant.chatId) =>
    tenant.bot.post('/messages', { chatId, content }).expect(200);
  const pending = async () => (await tenant.bot.get('/subscription').expect(200)).body.pending as number;
  /** The copy is silent for longer than its lease. */
  const expire = ({ name }: Copy) =>
    parley.query(
      `UPDATE subscription_copies SET leased_until = now() - interval '1 second' WHERE copy = $1 AND subscription_id IN
        (SELECT id FROM subscriptions WHERE bot_id = $2)`,
      [name, tenant.botId],
    );
  /** The copies that have called. */
  const names = async (): Promise<string[]> => {
    const text = 'SELECT copy FROM subscription_copies WHERE organization_id = $1';
    return (await parley.query<{ copy: string }>(text, [tenant.id])).map(({ copy }) => copy);
  };
  const seqs = (events: { seq: number }[]) => events.map(({ seq }) => seq);

  it('the events of a chat go to one copy until it has acknowledged them, and then to any', async () => {
    const [one, two] = [new Copy(tenant, 'one'), new Copy(tenant, 'two')];
    await say('1');
    expect(seqs(await one.poll())).toEqual([1]);
    await say('2');
    expect(await two.poll()).toEqual([]);
    // What isn't acknowledged is sent again, with what has come since.
    expect(seqs(await one.poll({ isAcked: false }))).toEqual([1, 2]);
    expect(await two.poll()).toEqual([]);
    expect(await one.poll()).toEqual([]);
    await say('3');
    expect(seqs(await two.poll())).toEqual([3]);
    expect(await one.poll()).toEqual([]);
    await two.poll();
    expect(await pending()).toBe(0);
  });

  it('an ack of some events keeps the chat until the others are acknowledged', async () => {
    const [one, two] = [new Copy(tenant, 'one'), new Copy(tenant, 'two')];
    for (const content of ['1', '2', '3']) await say(content);
    await one.poll();
    expect(seqs(await one.poll({ limit: 2, isAcked: false }))).toEqual([1, 2]);
    // Acknowledges 1 and 2 while 3, of the first answer, is still open.
    expect(seqs(await one.poll())).toEqual([3]);
    expect(await two.poll()).toEqual([]);
    await one.poll();
    expect(await pending()).toBe(0);
  });

  it('chats are divided: each copy gets the chats of no other', async () => {
    // One chat after the other, so that the events of each are next to each other.
    const chats: string[] = [];
    for (let count = 0; count < 6; count++) chats.push(...(await sayInChats(tenant, 1, 2)));
    const copies = [new Copy(tenant, 'one'), new Copy(tenant, 'two'), new Copy(tenant, 'three')];
    for (const copy of copies) expect(await copy.poll({ limit: 4 })).toHaveLength(4);
    const divided = copies.flatMap((copy) => [...copy.chats]);
    expect(divided.toSorted()).toEqual(chats.toSorted());
  });

  it('a copy that vanishes loses its chats when its lease ends, and keeps nothing when it leaves', async () => {
    const [one, two] = [new Copy(tenant, 'one'), new Copy(tenant, 'two')];
    await say('1');
    await one.poll();
    await say('2');
    expect(await two.poll()).toEqual([]);
    await expire(one);
    expect(seqs(await two.poll())).toEqual([1, 2]);
    // It was only paused: it gets nothing of the chat, and its ack still counts.
    await one.poll();
    expect(one.open.size).toBe(0);
    expect(await pending()).toBe(1);
    await two.poll({ isAcked: false, lease: 0 });
    expect(seqs(await one.poll())).toEqual([2]);
  });

  it('a copy that leaves while others wait is followed by one of them', async () => {
    const one = new Copy(tenant, 'one');
    await say('1');
    await one.poll();
    const waiting = tenant.bot.get('/events?wait=50&share=two').expect(200);
    const answered = Promise.resolve(waiting);
    await until('the other waits', async () => (await names()).includes('two'));
    await one.poll({ isAcked: false, lease: 0 });
    expect((await answered).body.events).toHaveLength(1);
  });

  describe('a copy that vanishes holds its chats for its lease only', () => {
    const leasedFor = async (name: string): Promise<number> => {
      const text = `SELECT extract(epoch FROM leased_until - now())::float AS seconds FROM subscription_copies
        WHERE organization_id = $1 AND copy = $2`;
      return (await parley.query<{ seconds: number }>(text, [tenant.id, name]))[0]!.seconds;
    };

    it('after a call that would have waited, but had events', async () => {
      await say('1');
      const { body } = await tenant.bot.get('/events?wait=50&share=one&lease=30').expect(200);
      expect(body.events).toHaveLength(1);
      expect(await leasedFor('one')).toBeLessThanOrEqual(30);
    });

    it('after it disconnects while its call waits', async () => {
      const leaving = new AbortController();
      const path = `${parley.url}/api/bot/events?wait=50&share=one&lease=30`;
      const headers = { authorization: `Bearer ${tenant.token}` };
      const waiting = fetch(path, { headers, signal: leaving.signal }).catch(() => 'gone');
      await until('it waits', async () => (await names()).length > 0 && (await leasedFor('one')) > 60);
      leaving.abort();
      expect(await waiting).toBe('gone');
      await until('its lease is short again', async () => (await leasedFor('one')) <= 30);
    });
  });

  it('a copy that acknowledges what another was sent makes the chat free for any', async () => {
    const [one, two] = [new Copy(tenant, 'one'), new Copy(tenant, 'two')];
    await say('1');
    await one.poll();
    expect(await two.poll({ foreignAck: one.ack })).toEqual([]);
    expect(await pending()).toBe(0);
    expect(await one.poll({ isAcked: false })).toEqual([]);
    await say('2');
    expect(seqs(await two.poll())).toEqual([2]);
  });

  it('an ack that is wrong, or of another bot, is answered 400 and takes nothing', async () => {
    const one = new Copy(tenant, 'one');
    await say('1');
    await one.poll();
    const stranger = new Copy(await parley.createTenant(), 'one');
    await stranger.poll();
    const tampered = `${one.ack.startsWith('A') ? 'B' : 'A'}${one.ack.slice(1)}`;
    for (const ack of [stranger.ack, tampered, 'x', one.name, 'a'.repeat(129)]) {
      for (const name of ['one', 'two']) {
        const { body } = await tenant.bot.get(`/events?wait=0&share=${name}&ack=${ack}`).expect(400);
        expect(body.detail).toContain('ack');
      }
    }
    expect(await pending()).toBe(1);
    expect(await names()).toEqual(['one']);
  });

  it('copies of two bots with the same names share nothing', async () => {
    const other = await parley.createTenant();
    await other.bot.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
    await say('1');
    expect(await new Copy(other, 'one').poll({ lease: 0 })).toEqual([]);
    expect(seqs(await new Copy(tenant, 'one').poll())).toEqual([1]);
    await new Copy(other, 'one').poll({ lease: 0 });
    expect(await new Copy(tenant, 'two').poll()).toEqual([]);
  });

  it('a client that does not share is superseded, while it waits and with its next call', async () => {
    const waiting = Promise.resolve(tenant.bot.get('/events?wait=50'));
    const hasPolled = async () => (await tenant.bot.get('/subscription').expect(200)).body.lastPolledAt !== null;
    await until('it waits', hasPolled);
    const one = new Copy(tenant, 'one');
    await one.poll();
    expect((await waiting).body.code).toBe('superseded');
    expect((await tenant.bot.get('/events?wait=0').expect(409)).body.code).toBe('superseded');
    await one.poll({ lease: 0 });
    await tenant.bot.get('/events?wait=0').expect(200);
  });

  it('a newer call of a copy ends its older one, and no call of another copy', async () => {
    const [older, other] = ['one', 'two'].map((name) =>
      Promise.resolve(tenant.bot.get(`/events?wait=50&share=${name}`)),
    );
    await until('both wait', async () => (await names()).length === 2);
    await new Copy(tenant, 'one').poll();
    expect((await older!).body.code).toBe('superseded');
    await say('1');
    expect((await other!).body.events).toHaveLength(1);
  });

  it('a bot has at most 64 copies at a time, and a copy has a name of 1 to 64 characters', async () => {
    for (let count = 0; count < 64; count++) await new Copy(tenant, `copy-${count}`).poll();
    expect((await tenant.bot.get('/events?wait=0&share=one-more').expect(409)).body.code).toBe('conflict');
    await new Copy(tenant, 'copy-7').poll({ lease: 0 });
    await tenant.bot.get('/events?wait=0&share=one-more').expect(200);
    for (const query of [
      'share=',
      `share=${'x'.repeat(65)}`,
      'share=a&share=b',
      'share=a&lease=301',
      'share=a&lease=-1',
    ])
      await tenant.bot.get(`/events?wait=0&${query}`).expect(400);
  });

  it('copies that come, vanish, and go under load lose nothing, and never have a chat at the same time', async () => {
    const [chats, perChat] = [12, 15];
    const writing = sayInChats(tenant, chats, perChat);
    const seen = new Map<string, number[]>();
    let made = 0;
    let copies: Copy[] = [];
    const random = () => Math.random();
    /** What the others have is none of what a copy gets. */
    const check = (copy: Copy) => {
      for (const other of copies)
        if (other !== copy) for (const chat of copy.chats) expect([...other.chats]).not.toContain(chat);
    };
    const step = async () => {
      if (copies.length < 4) copies.push(new Copy(tenant, `copy-${++made}`));
      const copy = copies[Math.floor(random() * copies.length)]!;
      for (const { chatId, seq } of await copy.poll({ limit: 1 + Math.floor(random() * 20), isAcked: random() < 0.7 }))
        seen.set(chatId, [...(seen.get(chatId) ?? []), seq]);
      check(copy);
      if (random() < 0.1) {
        copies = copies.filter((other) => other !== copy);
        await (random() < 0.5 ? expire(copy) : copy.poll({ isAcked: false, lease: 0, limit: 1 }));
      }
    };
    let isWritten = false;
    void writing.then(() => (isWritten = true));
    while (!isWritten || (await pending()) > 0) await step();
    for (const chatId of await writing) {
      const first = [...new Set(seen.get(chatId))];
      expect(first).toEqual(Array.from({ length: perChat }, (_, index) => index + 1));
    }
  });
});
