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
async function exerciseKeys(parley: Parley, { admin, bot, chatId, visitorId }: Tenant): Promise<void> {
  const setKeys = (keys: string[]) => admin.put('/attribute-keys', { keys }).expect(200);
  await setKeys(['plan', 'seats']);
  await fill(parley);
  for (const path of [`/chats/${chatId}`, `/visitors/${visitorId}`])
    await bot.patch(path, { attributes: { plan: 'gold', seats: 5 } }).expect(200);
  await setKeys(['plan']);
  await setKeys(['plan', 'seats']);
  await fill(parley);
  await setKeys(['plan']);
  await fill(parley);
  await admin.get('/attribute-keys').expect(200);
}
