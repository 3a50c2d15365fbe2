import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('visitor search', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const add = async (visitor: { name?: string; email?: string }): Promise<string> =>
    (await tenant.admin.post('/chats', { visitor }).expect(201)).body.visitor.id;
  const search = async (text: string, more = '', { admin } = tenant) =>
    (await admin.get(`/visitors?search=${encodeURIComponent(text)}${more}`).expect(200)).body as {
      visitors: { id: string }[];
      nextCursor: string | null;
    };
  const idsOf = async (text: string) => (await search(text)).visitors.map(({ id }) => id);

  it('visitors are found by the beginning of their name, their last name, their email, or the customer’s id', async () => {
    const ann = await add({ name: 'Ann-Kathrin Özdemir', email: 'ak@oezdemir.example' });
    const bob = await add({ name: 'Bob', email: 'Ann@example.com' });
    const identity = await signIdentity(tenant, { sub: 'Crm-77', name: 'Zoe' });
    const { visitor: zoe } = (await parley.beginSession(tenant, { identity }).expect(201)).body;
    expect(await idsOf('ann')).toEqual([ann, bob]);
    expect(await idsOf('ANN-k')).toEqual([ann]);
    expect(await idsOf('Özd')).toEqual([ann]);
    expect(await idsOf('ak@')).toEqual([ann]);
    expect(await idsOf('Crm-7')).toEqual([zoe.id]);
    for (const text of ['crm', 'kathrin', '%', '_', 'ann_', '\u{10FFFF}', ' '])
      expect([text, await idsOf(text)]).toEqual([text, []]);
    const stranger = await parley.createTenant();
    expect((await search('ann', '', stranger)).visitors).toEqual([]);
  });

  it('results are paged in a stable order, and a visitor found by two texts appears once', async () => {
    const expected: string[] = [];
    for (let number = 0; number < 7; number++)
      expected.push(await add({ name: `Paged ${number % 2}`, email: `p${number}@x.example` }));
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await search('paged', `&limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.visitors.length).toBeLessThanOrEqual(2);
      found.push(...page.visitors.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    const even = expected.filter((_, index) => index % 2 === 0);
    const odd = expected.filter((_, index) => index % 2 === 1);
    expect(found).toEqual([...even, ...odd]);
  });

  it("erased visitors aren't found", async () => {
    const gone = await add({ name: 'Goneril', email: 'goneril@example.com' });
    expect(await idsOf('gone')).toEqual([gone]);
    await tenant.admin.delete(`/visitors/${gone}`).expect(204);
    expect(await idsOf('gone')).toEqual([]);
  });

  it('an invalid search is rejected', async () => {
    const refused = async (query: string) =>
      (await tenant.admin.get(`/visitors?${query}`).expect(400)).body.errors[0].pointer;
    expect(await refused('search=')).toBe('?search');
    expect(await refused(`search=${'x'.repeat(321)}`)).toBe('?search');
    expect(await refused('search=a&email=b@example.com')).toBe('?search');
    expect(await refused('search=a&externalId=b')).toBe('?search');
    expect(await refused('search=a%00')).toBe('?search');
    const { visitors } = (await tenant.admin.get('/visitors?limit=1').expect(200)).body;
    const ofList = Buffer.from(visitors[0].id as string).toString('base64url');
    const ofSearch = Buffer.from(`${visitors[0].id}a`).toString('base64url');
    const broken = Buffer.from(`${visitors[0].id}\u0000`).toString('base64url');
    expect(await refused(`cursor=${ofSearch}`)).toBe('?cursor');
    for (const cursor of ['none', broken]) expect(await refused(`search=a&cursor=${cursor}`)).toBe('?cursor');
    await tenant.admin.get(`/visitors?search=a&cursor=${ofList}`).expect(200);
  });
});
