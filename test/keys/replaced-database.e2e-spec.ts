import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { storeCheck } from '../../src/platform/database/key/key-check.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

const [OWN, OTHER] = ['the-key-of-the-node', 'the-key-of-another-database'];

describe('a node whose database is replaced by one of another key', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ SECRET_KEY: OWN });
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  // What the first start with a key leaves in a database.
  const belongTo = (SECRET_KEY: string) =>
    storeCheck(async (text, values) => parley.query(text, values) as never, { SECRET_KEY });
  const untilReady = (status: number) =>
    eventually(
      async () => request(parley.url).get('/health/ready'),
      (response) => response.status === status,
    );
  const say = () => tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' });

  it('takes no work until it has its own again', async () => {
    await belongTo(OWN);
    await say().expect(200);
    await belongTo(OTHER);
    const { body } = await untilReady(503);
    expect(body.detail).toBe('The database has another SECRET_KEY than this node');
    await say().expect(503);
    await parley.visitor(tenant.visitorToken).get('/chats').expect(503);
    expect(await parley.query('SELECT FROM messages')).toHaveLength(1);
    await belongTo(OWN);
    await untilReady(200);
    await say().expect(200);
  });
});
