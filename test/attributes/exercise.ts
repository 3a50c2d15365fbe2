import { AttributeFilling } from '../../src/attributes/attribute-filling.service.js';
import { signIdentity } from '../support/identity.js';
import type { Parley, Tenant } from '../support/parley.js';

/** Sets attributes of chats and visitors, by everyone who may. */
export async function exerciseAttributes(parley: Parley, tenant: Tenant): Promise<void> {
  const { admin, bot, chatId, visitorId } = tenant;
  const sue = await parley.signInAgent({ admin }, { role: 'SUPERVISOR' });
  for (const by of [bot, admin, sue.client])
    for (const path of [`/chats/${chatId}`, `/visitors/${visitorId}`])
      for (const plan of ['gold', null]) await by.patch(path, { attributes: { plan } }).expect(200);
  for (const plan of ['gold', 'silver']) {
    const identity = await signIdentity(tenant, { sub: 'attributes', attributes: { plan } });
    await parley.beginSession(tenant, { identity }).expect(201);
  }
  await exerciseKeys(parley, tenant);
}

const fill = (parley: Parley) => parley.app.get(AttributeFilling).run();

// Fills keys, removes one, and brings it back before and after its values are removed.
async function exerciseKeys(parley: Parley, tenant: Tenant): Promise<void> {
  const { admin, bot, chatId, visitorId } = tenant;
  const setKeys = (keys: string[]) => admin.put('/attribute-keys', { keys }).expect(200);
  await setKeys(['plan', 'seats']);
  await fill(parley);
  for (const path of [`/chats/${chatId}`, `/visitors/${visitorId}`])
    await bot.patch(path, { attributes: { plan: 'gold', seats: 5 } }).expect(200);
  await exerciseFilters(parley, tenant);
  // As if its values weren't removed yet.
  await parley.query(`UPDATE attribute_keys SET removed_at = now() WHERE organization_id = $1 AND key = 'seats'`, [
    tenant.id,
  ]);
  await setKeys(['plan', 'seats']);
  await fill(parley);
  await setKeys(['plan']);
  await fill(parley);
  await admin.get('/attribute-keys').expect(200);
  await (await parley.signInAgent(tenant)).client.get('/attribute-keys').expect(200);
}

/** Gives the tenant's visitor 2,001 further chats, by SQL: a value of the visitor is no longer rare. */
export async function addChatsOfVisitor(parley: Parley, { id, chatId }: Pick<Tenant, 'id' | 'chatId'>): Promise<void> {
  await parley.query(
    `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at)
    SELECT c.organization_id, 'cht_' || lpad(n::text, 26, '0'), c.visitor_id, c.group_id, 'CLOSED', now(), now()
    FROM chats c CROSS JOIN generate_series(1, 2001) AS n WHERE c.organization_id = $1 AND c.id = $2`,
    [id, chatId],
  );
}

// Filters each list and report by a rare and by a frequent value, alone and with others.
async function exerciseFilters(parley: Parley, tenant: Tenant): Promise<void> {
  const { admin, bot, id } = tenant;
  const { body } = await admin.get('/groups').expect(200);
  const groupIds = [body.groups[0].id as string];
  const ada = await parley.signInAgent(tenant, { groupIds });
  const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
  const today = new Date().toISOString().slice(0, 10);
  const ofPages = async (filter: string) => {
    await bot.get(`/chats?${filter}`).expect(200);
    await admin.get(`/chats?${filter}&status=ACTIVE`).expect(200);
    for (const { client } of [ada, sue])
      for (const path of ['/chats?view=OPEN&', '/chats?view=CLOSED&', '/search?', '/search?q=searching&'])
        await client.get(path + filter).expect(200);
  };
  for (const filter of ['attr.plan=gold', 'attr.plan=gold&verified.seats=*']) {
    await ofPages(filter);
    for (const path of ['', '/agents', '/ratings', '/chats/export'])
      for (const more of ['', `&groupId=${groupIds[0]}`])
        await sue.client.get(`/reports${path}?from=${today}&to=${today}&${filter}${more}`).expect(200);
  }
  await addChatsOfVisitor(parley, tenant);
  for (const filter of ['attr.plan=gold', 'attr.plan=gold&attr.seats=*']) await ofPages(filter);
  await parley.query(`DELETE FROM chats WHERE organization_id = $1 AND id LIKE 'cht_0000%'`, [id]);
}
