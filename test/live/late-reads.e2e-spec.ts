import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatsService } from '../../src/chats/reading/chats.service.js';
import { InboxService } from '../../src/inbox/views/inbox.service.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('a slow read while the chat changes', () => {
  let parley: Parley;
  let tenant: Tenant;
  let groupId: string;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    groupId = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
  });

  /** Reads as before, but holds the first matching result until `meanwhile` has ended. */
  const holding = <A extends unknown[], T>(
    read: (...args: A) => Promise<T>,
    isMeant: (answer: T) => boolean,
    meanwhile: () => PromiseLike<unknown>,
  ) => {
    let isHeld = false;
    return async (...args: A): Promise<T> => {
      const answer = await read(...args);
      if (isHeld || !isMeant(answer)) return answer;
      isHeld = true;
      await meanwhile();
      return answer;
    };
  };

  it('the last state that a visitor receives is the latest', async () => {
    const { chatId } = tenant;
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId });
    const chats = parley.app.get(ChatsService);
    chats.getState = holding(
      chats.getState.bind(chats),
      ({ owner }) => owner === 'QUEUE',
      () => ada.client.post(`/chats/${chatId}/claim`, {}).expect(200),
    );
    await tenant.bot.post('/transfer', { chatId }).expect(200);
    const owners = () => visitor.all('chat').map(({ owner }) => owner);
    await visitor.until(() => owners().includes('QUEUE') && owners().includes('AGENT'));
    expect(owners().at(-1)).toBe('AGENT');
  });

  it('an agent who gets a chat receives a message that arrives while the row is being read', async () => {
    const { chatId } = tenant;
    await tenant.admin.patch(`/groups/${groupId}`, { routing: 'AUTOMATIC' }).expect(200);
    const chief = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const other = await parley.connectAgent(chief.token);
    await other.ask('chat:follow', { chatId });
    const socket = await parley.connectAgent(ada.token);
    const inbox = parley.app.get(InboxService);
    inbox.findRows = holding(
      inbox.findRows.bind(inbox),
      (rows) => rows.some(({ owner }) => owner === 'AGENT'),
      async () => {
        await parley.visitor(tenant.visitorToken).post(`/chats/${chatId}/messages`, { content: 'help' }).expect(201);
        await other.until(() => other.all('message').some(({ content }) => content === 'help'));
      },
    );
    await tenant.bot.post('/transfer', { chatId }).expect(200);
    await other.until(() => other.all('message').some(({ content }) => content === 'help'));
    const { seq } = other.all('message').find(({ content }) => content === 'help');
    await socket.until(() =>
      [
        ...socket.all('message').map((message) => message.seq),
        ...socket.all('seq').map(({ latestSeq }) => latestSeq),
      ].includes(seq),
    );
  });
});
