import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';

const RealDate = Date;

/** A clock that is ten minutes ahead of the database's. */
class FastDate extends RealDate {
  constructor(time: number | string = FastDate.now()) {
    super(time);
  }

  static override now(): number {
    return RealDate.now() + 600_000;
  }
}

describe('a node with a wrong clock', () => {
  let parley: Parley;

  beforeAll(async () => {
    globalThis.Date = FastDate as DateConstructor;
    parley = await Parley.start();
  });
  afterAll(async () => {
    globalThis.Date = RealDate;
    await parley.stop();
  });

  it("a chat created in the queue gets its place by the database's clock", async () => {
    const tenant = await parley.createTenant({ hasBot: false });
    const { body: later } = await tenant.admin.post('/chats', { visitor: { name: 'Later' } }).expect(201);
    // Written like a node with the right clock.
    await parley.query('UPDATE chats SET queued_at = now() WHERE id = $1', [later.id]);
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    const { chat } = await visitor.ask('chat:open', { chatId: tenant.chatId });
    expect(chat.queue.position).toBe(1);
  });

  it("an agent who wrote doesn't delay the time-out", async () => {
    const tenant = await parley.createTenant();
    const groupIds = [await defaultGroupOf(tenant)];
    const ada = await parley.signInAgent(tenant, { groupIds });
    const path = `/chats/${tenant.chatId}`;
    await ada.client.post(`${path}/claim`, {}).expect(200);
    const write = () => ada.client.post(`${path}/messages`, { content: 'hello' }).expect(201);
    const text = 'SELECT agent_wrote_at <= clock_timestamp() AS "isPast" FROM chats WHERE id = $1';
    await write();
    expect(await parley.query(text, [tenant.chatId])).toEqual([{ isPast: true }]);
    // Simultaneous messages are stored in one batch.
    await Promise.all(Array.from({ length: 20 }, write));
    expect(await parley.query(text, [tenant.chatId])).toEqual([{ isPast: true }]);
  });
});
