import { MissedAnswers } from '../../src/mail/kinds/missed.service.js';
import { Outbox } from '../../src/mail/sending/outbox.service.js';
import request from 'supertest';
import type { Parley, Tenant } from '../support/parley.js';
import { type MailServer, Refusal } from './support/mail-server.js';
import { untilMail } from './support/mails.js';
import { answer, beginChat, passTime, verify } from './support/missing.js';
import { deliver, replyTo } from './support/replies.js';
import { InboundRetention } from '../../src/mail/receiving/inbound-retention.js';
import { PNG } from '../files/support/files.js';

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

/** Lets mails arrive: an answer, one to accept, one to drop, a refused one, and returned ones. */
async function exerciseInbound(parley: Parley, server: MailServer): Promise<void> {
  const tenant = await parley.createTenant();
  await tenant.admin.patch('', { visitorUploads: true }).expect(200);
  const from = 'inbound@mail.example';
  const { chatId, visitorId, token } = await beginChat(parley, tenant, from);
  await verify(parley, visitorId);
  await answer(tenant, chatId, 'an answer');
  await passTime(parley, chatId);
  const [mail] = await server.arrived(from);
  await deliver(parley, replyTo(mail!, { from }));
  const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
  const files = [{ name: 'photo.png', type: 'image/png', content: PNG }];
  await parley.visitor(token).post(`/chats/${chatId}/close`, {}).expect(200);
  for (let nth = 0; nth < 3; nth++) await deliver(parley, replyTo(mail!, { from, isProven: false, files }));
  const { mails } = (await ada.client.get(`/chats/${chatId}`).expect(200)).body;
  await ada.client.post(`/chats/${chatId}/mails/${mails[0].id}/accept`, {}).expect(200);
  await ada.client.delete(`/chats/${chatId}/mails/${mails[1].id}`).expect(204);
  await ada.client.get(`/chats/${chatId}/messages`).expect(200);
  await deliver(parley, replyTo(mail!, { from, headers: { 'Auto-Submitted': 'auto-replied' } }));
  const report = (status: string) => ({
    To: mail!.from,
    'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    'X-Status': status,
  });
  for (const status of ['5.2.2', '5.1.1']) {
    const source = replyTo(mail!, { from, headers: report(status) }).replace(
      /Content-Type: text\/plain[^]*/,
      `\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; ${from}\r\nAction: failed\r\nStatus: ${status}\r\n\r\n--b--\r\n`,
    );
    await deliver(parley, source);
  }
  await parley.query('UPDATE mails SET content = NULL WHERE chat_id = $1', [chatId]);
  await deliver(parley, replyTo(mail!, { from, text: 'the last answer' }));
  await tenant.admin.get('/mails/arrived?limit=5').expect(200);
  await parley.query("UPDATE inbound_mails SET received_at = now() - interval '31 days' WHERE chat_id = $1", [chatId]);
  await parley.app.get(InboundRetention).run();
}

/** Lets a visitor and an agent ask for a transcript, sends one at a chat's end, and takes an address back that unsubscribed. */
async function exerciseTranscripts(parley: Parley, server: MailServer): Promise<void> {
  const tenant = await parley.createTenant();
  const to = 'transcript@mail.example';
  const { chatId, visitorId, token } = await beginChat(parley, tenant, to);
  await verify(parley, visitorId);
  const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
  await parley.visitor(token).post(`/chats/${chatId}/transcript`, {}).expect(202);
  await server.arrived(to);
  await tenant.admin.patch('', { mail: { transcript: 'ALWAYS' } }).expect(200);
  await parley.visitor(token).post(`/chats/${chatId}/close`, {}).expect(200);
  await parley.app.get(MissedAnswers).run();
  const [, mail] = await server.arrived(to, 2);
  const { pathname } = new URL(mail!.headers['list-unsubscribe']!.slice(1, -1));
  await request(parley.url).post(pathname).expect(200);
  await parley.visitor(token).post(`/chats/${chatId}/resubscribe`, {}).expect(204);
  await request(parley.url).post(pathname).expect(200);
  await ada.client.post(`/chats/${chatId}/resubscribe`, {}).expect(204);
  // Beyond MAIL_MAX_PER_HOUR: it waits.
  await ada.client.post(`/chats/${chatId}/transcript`, {}).expect(202);
  await tenant.admin.get(`/visitors/${visitorId}`).expect(200);
  const bea = await parley.signInAgent(tenant, { role: 'ADMIN' });
  await ada.client.post(`/chats/${chatId}/notes`, { content: 'a note', mentions: [bea.id] }).expect(201);
  await server.arrived(bea.email);
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
  await exerciseInbound(parley, server);
  await exerciseTranscripts(parley, server);
  await tenant.admin.get('/mail').expect(200);
  await tenant.admin.get('/mails?limit=1').expect(200);
  await parley.app.get(Outbox).removeOld();
}
