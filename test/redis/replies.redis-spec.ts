import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MailboxIntake } from '../../src/mail/receiving/mailbox-intake.js';
import { allowVisitors } from '../files/support/files.js';
import { StandInS3 } from '../files/support/stand-in-s3.js';
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
  let store: StandInS3;
  let scanner: Server;
  let nodes: Parley[];

  beforeAll(async () => {
    [smtp, dovecot, store] = await Promise.all([MailServer.start(), Dovecot.start(), StandInS3.start()]);
    // Judges small files only.
    scanner = createServer((request, response) => {
      response.statusCode = Number(request.headers['content-length']) > 300 ? 500 : 200;
      request.resume().once('end', () => response.end('{"clean":true}'));
    }).listen(0, '127.0.0.1');
    await once(scanner, 'listening');
    const FILE_SCAN_URL = `http://127.0.0.1:${(scanner.address() as AddressInfo).port}/`;
    const environment = { ...environmentOf(dovecot), ...smtp.environment, FILES_URL: store.url, FILE_SCAN_URL };
    const first = await Parley.start(environment);
    nodes = [first, await Parley.start(environment, first.databaseUrl)];
    for (const node of nodes) node.app.get(MailboxIntake).pauseMs = 5;
  });
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.stop();
    await Promise.all([smtp.close(), dovecot.close(), store.stop()]);
    scanner.close();
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

  it('one whose file the scanner never judges arrives with its text, and the next one after it', async () => {
    const [node] = nodes as [Parley];
    const tenant = await node.createTenant();
    await allowVisitors(tenant);
    const { chatId, visitorId } = await beginChat(node, tenant, 'walter@example.com');
    await verify(node, visitorId);
    await answer(tenant, chatId, 'Please send the form.');
    await passTime(node, chatId);
    const [mail] = await smtp.arrived('walter@example.com');
    const files = [
      { name: 'odd.txt', type: 'text/plain', content: Buffer.from('odd '.repeat(100)) },
      { name: 'fine.txt', type: 'text/plain', content: Buffer.from('fine') },
    ];
    await dovecot.deliver(replyTo(mail!, { from: 'walter@example.com', text: 'Here it is.', files }));
    const uid = await dovecot.deliver(replyTo(mail!, { from: 'walter@example.com', text: 'Did it arrive?' }));
    await until('the last reply is read', async () => (await dovecot.seen()).includes(uid));
    const { messages } = (await tenant.bot.get(`/chats/${chatId}/messages`).expect(200)).body;
    const ofVisitor = messages.filter(({ sender }: any) => sender.type === 'VISITOR').slice(1);
    expect(ofVisitor.map(({ content }: any) => content)).toEqual(['Here it is.\n\n📎 odd.txt', 'Did it arrive?']);
    expect(ofVisitor[0].files.map(({ name }: any) => name)).toEqual(['fine.txt']);
    expect(await node.query('SELECT FROM files WHERE chat_id = $1 AND used_by IS NULL', [chatId])).toEqual([]);
  });
});
