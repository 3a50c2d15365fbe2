import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatsService } from '../../src/chats/chats.service.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('what was read arrives late, and meanwhile the chat changes', () => {
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
    groupId = (await tenant.bot.get('/groups').expect(200)).body[0].id;
    ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
  });

  /** Reads as before, but holds the first answer that is meant until `meanwhile` has ended. */
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

  it('the last state that a visitor gets is the last one', async () => {
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
});
