import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientsOnRoad, memory } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('resuming a chat', () => {
  let parley: Parley;
  let tenant: Tenant;
  let clients: ClientsOnRoad;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    clients = await ClientsOnRoad.to(parley.url, tenant);
  });
  afterEach(() => clients.close());

  const visitors = () => parley.query('SELECT id FROM visitors WHERE organization_id = $1', [tenant.id]);

  it('makes nothing for a visitor who has none, and opens the one that there is', async () => {
    const before = (await visitors()).length;
    const storage = memory();
    const first = clients.connect({ storage });
    expect(await first.resumeChat()).toBeNull();
    expect(await visitors()).toHaveLength(before);
    expect(storage.getItem(`parley:${tenant.widgetKey}`)).toBeNull();
    const { chatId } = await first.send('Hello');
    first.close();
    expect((await clients.connect({ storage }).resumeChat())?.id).toBe(chatId);
  });
});
