import { Outbox } from '../../src/mail/sending/outbox.service.js';
import request from 'supertest';
import type { Parley, Tenant } from '../support/parley.js';
import { type MailServer, Refusal } from './support/mail-server.js';
import { untilMail } from './support/mails.js';
import { answer, beginChat, passTime, verify } from './support/missing.js';

/** Lets visitors miss answers, and uses the links of their mails. */
async function exerciseMissed(parley: Parley, tenant: Tenant, server: MailServer): Promise<void> {
  const links = [];
  for (const to of ['one@missed.example', 'two@missed.example', 'three@missed.example']) {
    const { chatId, visitorId } = await beginChat(parley, tenant, to);
    if (to.startsWith('one')) await verify(parley, visitorId);
    await answer(tenant, chatId, 'an answer');
    await passTime(parley, chatId);
    if (to.startsWith('three')) continue;
    const [mail] = await server.arrived(to);
    links.push({ mail: mail!, token: /prl_vln_\w{38}/.exec(mail!.text)![0] });
  }
  // Beyond MAIL_MAX_PER_HOUR.
  await parley.untilRow("SELECT FROM mails WHERE recipient LIKE 'three@%' AND due_at > now() + interval '30 minutes'");
  const { chatId } = await beginChat(parley, tenant, 'THREE@missed.example');
  await answer(tenant, chatId, 'an answer');
  await passTime(parley, chatId);
  const [one, two] = links as [(typeof links)[0], (typeof links)[0]];
  await parley.visitor().post('/link', { token: one.token }).expect(200);
  await parley.visitor().post('/link/continue', { token: one.token }).expect(200);
  await parley.visitor().post('/link/not-me', { token: two.token }).expect(204);
  const { pathname } = new URL(one.mail.headers['list-unsubscribe']!.slice(1, -1));
  await request(parley.url).get(pathname).expect(200);
  await request(parley.url).post(pathname).expect(200);
}

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
  server.behaviour = { onRecipient: () => new Refusal(550, '5.1.1 unknown') };
  await tenant.admin.post('/mail/test', { to: 'bounced@mail.example' }).expect(202);
  await untilMail(tenant, 'bounced@mail.example', ({ status }) => status === 'BOUNCED');
  server.behaviour = {};
  await exerciseMissed(parley, tenant, server);
  await tenant.admin.get('/mails?limit=1').expect(200);
  await parley.app.get(Outbox).removeOld();
}
