import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { allowVisitors, TEXT, upload } from '../files/support/files.js';
import { StandInS3 } from '../files/support/stand-in-s3.js';
import { Parley, type Tenant } from '../support/parley.js';
import { type ArrivedMail, MailServer } from './support/mail-server.js';
import { answer, beginChat, passTime, verify, type Writer } from './support/missing.js';
import { deliver, INBOUND, replyTo } from './support/replies.js';

describe('the files of a reply by mail', () => {
  let server: MailServer;
  let store: StandInS3;
  let parley: Parley;
  let tenant: Tenant;
  let count = 0;

  beforeAll(async () => {
    server = await MailServer.start();
    store = await StandInS3.start();
    parley = await Parley.start({ ...server.environment, ...INBOUND, FILES_URL: store.url });
    tenant = await parley.createTenant();
    await allowVisitors(tenant);
    await upload(tenant.bot, tenant.chatId, 'first.txt', TEXT);
  });
  afterEach(() => {
    store.behavior = {};
  });
  afterAll(async () => {
    await parley.stop();
    await store.stop();
    await server.close();
  });

  /** A chat whose verified visitor was mailed a missed answer. */
  const mailed = async (): Promise<Writer & { email: string; mail: ArrivedMail }> => {
    const email = `files${++count}@example.com`;
    const writer = await beginChat(parley, tenant, email);
    await verify(parley, writer.visitorId);
    await answer(tenant, writer.chatId, 'an answer');
    await passTime(parley, writer.chatId);
    const [mail] = await server.arrived(email);
    return { ...writer, email, mail: mail! };
  };
  const texts = (number: number) =>
    Array.from({ length: number }, (_, index) => ({ name: `${index}.txt`, type: 'text/plain', content: TEXT }));
  const newest = async (chatId: string) =>
    (await tenant.bot.get(`/chats/${chatId}/messages`).expect(200)).body.messages.at(-1);

  it('beyond a limit of the visitor, files are named, and the text arrives', async () => {
    const { chatId, email, mail } = await mailed();
    const send = (text: string) => deliver(parley, replyTo(mail, { from: email, text, files: texts(7) }));
    expect((await send('one')).body.status).toBe('stored');
    expect((await send('two')).body.status).toBe('stored');
    const message = await newest(chatId);
    expect(message.files).toHaveLength(3);
    expect(message.content).toBe('two\n\n📎 3.txt\n📎 4.txt\n📎 5.txt\n📎 6.txt');
  });

  it('share no limit with the files of other visitors', async () => {
    for (let nth = 0; nth < 6; nth++) {
      const { chatId, email, mail } = await mailed();
      await deliver(parley, replyTo(mail, { from: email, files: texts(9) }));
      expect((await newest(chatId)).files).toHaveLength(9);
    }
  });

  it('all arrive after an outage of the store, however many tries it took', async () => {
    const { chatId, email, mail } = await mailed();
    const reply = replyTo(mail, { from: email, files: texts(2) });
    store.behavior = { status: 500 };
    for (let tries = 0; tries < 11; tries++) expect((await deliver(parley, reply)).status).toBe(503);
    store.behavior = {};
    expect((await deliver(parley, reply)).body.status).toBe('stored');
    expect((await newest(chatId)).files).toHaveLength(2);
    const unused = await parley.query('SELECT FROM files WHERE chat_id = $1 AND used_by IS NULL', [chatId]);
    expect(unused).toEqual([]);
  });
});
