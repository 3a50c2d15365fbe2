import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { removeUpload, renewFile, sendFiles, type VisitorClient } from 'parley/visitor';
import { ClientsOnRoad, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';
import { PNG } from '../support/pictures.js';

const picture = () => new File([Buffer.from(PNG, 'base64')], 'red.png', { type: 'image/png' });
const text = (name: string, content = 'Hello, file.') => new File([content], name);

describe("files of the visitor's client", () => {
  let parley: Parley;
  let tenant: Tenant;
  let clients: ClientsOnRoad;
  let client: VisitorClient;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    await tenant.admin.patch('', { visitorUploads: true }).expect(200);
    clients = await ClientsOnRoad.to(parley.url, tenant);
    client = clients.connect();
  });
  afterEach(() => clients.close());

  const counted = async () =>
    (await tenant.admin.get('/files').expect(200)).body as { files: number; unfinished: number };

  it('a file is uploaded, and sent without words', async () => {
    const { id, visitorUploads } = await client.openChat();
    expect(visitorUploads).toEqual({ maxSize: 26_214_400 });
    const file = await client.upload(id, picture());
    expect(file).toMatchObject({ name: 'red.png', type: 'image/png', width: 8, height: 8 });
    const message = await client.send('', { files: [file] });
    expect([message.content, message.files]).toEqual(['', [file]]);
    expect(client.messages.value.at(-1)!.files).toEqual([file]);
    const fresh = await renewFile(client, file.id);
    expect((await fetch(fresh.url)).headers.get('content-type')).toBe('image/png');
  });

  it('several files begin a chat, as one message in their order', async () => {
    const files = Array.from({ length: 5 }, (_, index) => text(`${index}.txt`));
    const message = await sendFiles(client, files, { content: 'All of them' });
    expect(message.files!.map(({ name }) => name)).toEqual(['0.txt', '1.txt', '2.txt', '3.txt', '4.txt']);
    expect(message.content).toBe('All of them');
  });

  it('a refused file says why, and sends none of them', async () => {
    const sent = sendFiles(client, [text('fine.txt'), text('page.html', '<!doctype html>')]);
    await expect(sent).rejects.toMatchObject({ code: 'type_not_allowed' });
    expect(client.messages.value).toEqual([]);
    await expect(client.upload(client.chat.value!.id, text('empty.txt', ''))).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await tenant.admin.patch('', { visitorUploads: false }).expect(200);
    const refused = client.upload(client.chat.value!.id, text('late.txt'));
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('names that the service refuses are sent without what it refuses', async () => {
    const { id } = await client.openChat();
    const nameOf = async (name: string) => (await client.upload(id, text(name))).name;
    expect(await nameOf('../etc/pass\u202ewd\n.txt')).toBe('.._etc_pass_wd_.txt');
    expect(await nameOf('..')).toBe('_..');
    expect(await nameOf(`${'x'.repeat(400)}.txt`)).toBe(`${'x'.repeat(251)}.txt`);
  });

  it('a canceled upload rejects, and is removed', async () => {
    const { id } = await client.openChat();
    const cancel = new AbortController();
    cancel.abort();
    const upload = client.upload(id, text('a.txt'), { signal: cancel.signal });
    await expect(upload).rejects.toMatchObject({ code: 'interrupted' });
    expect(await counted()).toMatchObject({ files: 0, unfinished: 0 });
    const file = await client.upload(id, text('b.txt'));
    await removeUpload(client, file.id);
    expect(await counted()).toMatchObject({ files: 0, unfinished: 0 });
  });

  it('a message with files waits for the connection, and is stored once', async () => {
    const { id } = await client.openChat();
    const file = await client.upload(id, picture());
    clients.road.cut();
    await until(client.connection, ({ state }) => state === 'offline');
    const sent = client.send('', { files: [file] });
    expect(client.pending.value[0]!.files).toEqual([file]);
    clients.road.isCut = false;
    expect((await sent).files!.map((one) => one.id)).toEqual([file.id]);
    expect(client.pending.value).toEqual([]);
  });

  it('an upload waits for the connection', async () => {
    const { id } = await client.openChat();
    clients.road.cut();
    const upload = client.upload(id, text('a.txt'));
    await until(client.connection, ({ state }) => state === 'offline');
    clients.road.isCut = false;
    expect((await upload).name).toBe('a.txt');
  });
});
