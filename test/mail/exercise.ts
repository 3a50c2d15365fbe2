import { Outbox } from '../../src/mail/sending/outbox.service.js';
import type { Parley, Tenant } from '../support/parley.js';
import type { MailServer } from './support/mail-server.js';

/** Calls the routes of e-mail, and sends mails of each kind. */
export async function exerciseMail(parley: Parley, tenant: Tenant, server: MailServer): Promise<void> {
  await tenant.admin.patch('', { mail: { fromName: 'Acme' } }).expect(200);
  await tenant.admin.post('/mail/test', { to: 'test@mail.example' }).expect(202);
  await server.arrived('test@mail.example');
  const { email, id } = await parley.signInAgent(tenant, { password: 'correct horse battery' });
  await tenant.admin.post(`/agents/${id}/sign-in-links`, { send: true }).expect(201);
  await server.arrived(email);
  await parley.agent().post('/password-reset', { email }).expect(202);
  await server.arrived(email, 2);
  await tenant.admin.get('/mails?limit=1').expect(200);
  await parley.app.get(Outbox).removeOld();
}
