import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { VisitorClientOptions, VisitorStorage } from 'parley/visitor';
import { signIdentity } from '../support/identity.js';
import { ClientsOnRoad, contents, memory, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('an unsent first message when its page is left', () => {
  let parley: Parley;
  let tenant: Tenant;
  let clients: ClientsOnRoad;
  let storage: VisitorStorage;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    clients = await ClientsOnRoad.to(parley.url, tenant);
    storage = memory();
  });
  afterEach(() => clients.close());

  const load = (options?: Partial<VisitorClientOptions>) => clients.connect({ storage, ...options });
  const identityOf = (sub: string) => signIdentity(tenant, { name: sub, sub });
  /** Writes while the service is unreachable, and leaves the page. */
  const leaveWaiting = async (content: string, options?: Partial<VisitorClientOptions>) => {
    clients.road.cut();
    const page = load(options);
    void page.send(content).catch(() => undefined);
    await until(page.connection, ({ state }) => state === 'offline');
    page.close();
    clients.road.isCut = false;
  };

  it('an unsent first message is sent by the next page', async () => {
    await leaveWaiting('Hello');
    const page = load();
    expect(await page.resumeChat()).not.toBeNull();
    await until(page.messages, ({ length }) => length === 1);
    expect([contents(page), page.pending.value]).toEqual([['Hello'], []]);
  });

  it('an unsent first message is sent by the next page of the same person', async () => {
    await leaveWaiting('I am Bob', { identity: await identityOf('bob') });
    const page = load({ identity: await identityOf('bob') });
    await page.resumeChat();
    await until(page.messages, ({ length }) => length === 1);
    expect(contents(page)).toEqual(['I am Bob']);
  });

  it.each([
    ['of an anonymous visitor', undefined, 'bob'],
    ['of another person', 'ada', 'bob'],
    ['of a person, before an anonymous visitor', 'ada', undefined],
  ])('an unsent first message is discarded: %s', async (_, before, next) => {
    const personal = async (sub?: string) => (sub ? { identity: await identityOf(sub) } : {});
    await leaveWaiting('Not for others', await personal(before));
    const page = load(await personal(next));
    expect(await page.resumeChat()).toBeNull();
    await page.send('Mine');
    expect([contents(page), page.pending.value]).toEqual([['Mine'], []]);
  });

  it('an unsent first message is sent when the visitor retries', async () => {
    const failed = { clientMessageId: 'one', content: 'Once more', type: 'TEXT', state: 'failed' };
    storage.setItem(`parley:${tenant.widgetKey}:outbox`, JSON.stringify([failed]));
    const page = load();
    expect(await page.resumeChat()).toBeNull();
    page.retry('one');
    await until(page.messages, ({ length }) => length === 1);
    expect([contents(page), page.pending.value]).toEqual([['Once more'], []]);
  });

  it("an unsent first message isn't sent by the person who signs in after its author, on the same page", async () => {
    const page = load({ identity: await identityOf('ada') });
    await page.resumeChat();
    clients.road.cut();
    void page.send('The secret of Ada').catch(() => undefined);
    await until(page.connection, ({ state }) => state === 'offline');
    clients.road.isCut = false;
    await page.identify(await identityOf('bob'));
    await page.send('I am Bob');
    expect([contents(page), page.pending.value]).toEqual([['I am Bob'], []]);
  });
});
