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
}
