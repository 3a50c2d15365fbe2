import { MissedAnswers } from '../../../src/mail/kinds/missed.service.js';
import type { Parley, Tenant } from '../../support/parley.js';

/** A visitor with an address, and a chat with their message. */
export interface Writer {
  visitorId: string;
  token: string;
  chatId: string;
}

/** Begins an anonymous visitor's chat. Anyone can type any address. */
export async function beginChat(parley: Parley, tenant: Tenant, email: string, name = 'Vera'): Promise<Writer> {
  const { body } = await parley.beginSession(tenant, { visitor: { name, email } }).expect(201);
  const { body: opened } = await parley.visitor(body.token).post('/chats', {}).expect(201);
  const chatId = opened.chat.id as string;
  await parley.visitor(body.token).post(`/chats/${chatId}/messages`, { content: 'a question' }).expect(201);
  return { visitorId: body.visitor.id, token: body.token, chatId };
}

/** Lets a bot answer. */
export async function answer({ bot }: Tenant, chatId: string, content: string): Promise<void> {
  await bot.post('/messages', { chatId, content }).expect(200);
}

/** Lets the time of the last message be this many seconds ago, and searches for missed answers. */
export async function passTime(parley: Parley, chatId: string, seconds = 301): Promise<void> {
  await parley.query(
    `UPDATE chats SET last_message_at = now() - make_interval(secs => $2),
      activity_slot = date_bin('10 minutes', now() - make_interval(secs => $2), TIMESTAMPTZ '2000-01-01 UTC'),
      status_changed_at = least(status_changed_at, now() - make_interval(secs => $2))
    WHERE id = $1`,
    [chatId, seconds],
  );
  await parley.app.get(MissedAnswers).run();
}

/** Says that the visitor reads mails to their address. */
export async function verify(parley: Parley, visitorId: string): Promise<void> {
  await parley.query('UPDATE visitors SET verified_email = email WHERE id = $1', [visitorId]);
}
