import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailServer } from '../mail/support/mail-server.js';
import { answer, beginChat, passTime, verify } from '../mail/support/missing.js';
import { replyTo } from '../mail/support/replies.js';
import { until } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { Dovecot } from './support/dovecot.js';
import { environmentOf } from './support/readers.js';

describe('replies in the mailbox', () => {
  let smtp: MailServer;
  let dovecot: Dovecot;
  let nodes: Parley[];

  beforeAll(async () => {
    [smtp, dovecot] = await Promise.all([MailServer.start(), Dovecot.start()]);
    const environment = { ...environmentOf(dovecot), ...smtp.environment };
    const first = await Parley.start(environment);
    nodes = [first, await Parley.start(environment, first.databaseUrl)];
  });
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.stop();
    await Promise.all([smtp.close(), dovecot.close()]);
  });

  it('each becomes one message, on two nodes, without what it quotes', async () => {
    const [node] = nodes as [Parley];
    const tenant = await node.createTenant();
    const { chatId, visitorId } = await beginChat(node, tenant, 'vera@example.com');
    await verify(node, visitorId);
    await answer(tenant, chatId, 'We open at nine.');
    await passTime(node, chatId);
    const [mail] = await smtp.arrived('vera@example.com');
    expect(mail!.text).toContain('You can also answer this e-mail.');
    const reply = replyTo(mail!, { text: 'At nine then.' });
    await dovecot.deliver(reply);
    await dovecot.deliver(reply);
    const uid = await dovecot.deliver(replyTo(mail!, { text: 'Or at ten?' }));
    await until('the last reply is read', async () => (await dovecot.seen()).includes(uid));
    const { messages } = (await tenant.bot.get(`/chats/${chatId}/messages`).expect(200)).body;
    const words = messages.filter(({ sender }: any) => sender.type === 'VISITOR').map(({ content }: any) => content);
    expect(words).toEqual(['a question', 'At nine then.', 'Or at ten?']);
  });
});
