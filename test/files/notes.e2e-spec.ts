import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { until } from '../support/eventually.js';
import { PNG, type SentFile, TEXT, upload } from './support/files.js';

describe('files of notes', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let bob: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada', role: 'SUPERVISOR' });
    bob = await parley.signInAgent(tenant, { name: 'Bob', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const notes = () => `/chats/${tenant.chatId}/notes`;
  const send = (name: string, bytes: Buffer = TEXT) => upload(ada.client, tenant.chatId, name, bytes);
  const write = async (files: string[], content = 'See this') =>
    (await ada.client.post(notes(), { content, files }).expect(201)).body as { id: string; files?: SentFile[] };
  const countRows = async (id: string) => (await parley.query(`SELECT FROM files WHERE id = $1`, [id])).length;

  it('files of a note are shown to agents who may see the chat, and to no one else', async () => {
    const file = await send('screen.png', PNG);
    const note = await write([file.id]);
    expect(note.files).toEqual([{ ...file, url: expect.any(String) }]);
    const listed = (await bob.client.get(`${notes()}`).expect(200)).body.notes.at(-1);
    expect((await fetch(listed.files[0].url)).status).toBe(200);
    await bob.client.get(`/files/${file.id}`).expect(200);
    await tenant.bot.get(`/files/${file.id}`).expect(404);
    await parley.visitor(tenant.visitorToken).get(`/files/${file.id}`).expect(404);
    const exported = await tenant.admin.get(`/visitors/${tenant.visitorId}/export`).expect(200);
    expect(JSON.stringify(exported.body)).not.toContain(file.id);
    await ada.client.delete(`/uploads/${file.id}`).expect(409);
  });

  it('stay without files in a change, and are replaced with them', async () => {
    const [first, second, third] = [await send('1.txt'), await send('2.txt'), await send('3.txt')];
    const { id } = await write([first.id, second.id]);
    const edit = (body: object) => ada.client.patch(`${notes()}/${id}`, body);
    const words = (await edit({ content: 'Others' }).expect(200)).body;
    expect(words.files.map((file: SentFile) => file.name)).toEqual(['1.txt', '2.txt']);
    const changed = (await edit({ files: [third.id, first.id] }).expect(200)).body;
    expect([changed.content, changed.files.map((file: SentFile) => file.name)]).toEqual(['Others', ['3.txt', '1.txt']]);
    await until('the file that was left out is gone', async () => (await fetch(words.files[1].url)).status === 404);
    const none = (await edit({ files: [] }).expect(200)).body;
    expect(none).not.toHaveProperty('files');
    expect(await countRows(first.id)).toBe(0);
    await edit({}).expect(400);
    await edit({ content: '' }).expect(400);
  });

  it('files of a note are refused unless each is complete, of the author, of this chat, and unused', async () => {
    const [own, used] = [await send('own.txt'), await send('used.txt')];
    await write([used.id]);
    const others = await upload(bob.client, tenant.chatId, 'bob.txt', TEXT);
    for (const wrong of [used.id, others.id, 'upl_none']) {
      const answer = await ada.client.post(notes(), { content: 'x', files: [own.id, wrong] }).expect(400);
      expect(answer.body.errors).toMatchObject([{ pointer: '/files/1' }]);
    }
    await write([own.id]);
    await ada.client.post(notes(), { files: [others.id] }).expect(400);
    await ada.client.post(notes(), { content: 'x', files: [own.id, own.id] }).expect(400);
  });

  it('go to one of two notes that name it at the same time', async () => {
    const file = await send('a.txt');
    const body = { content: 'x', files: [file.id] };
    const answers = await Promise.all([1, 2, 3].map(() => ada.client.post(notes(), body)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400]);
  });

  it('files of a note are removed with it', async () => {
    const note = await write([(await send('a.txt')).id]);
    await ada.client.delete(`${notes()}/${note.id}`).expect(204);
    expect((await fetch(note.files![0]!.url)).status).toBe(404);
  });
});
