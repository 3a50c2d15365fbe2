import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CheckedStore } from '../../src/files/stores/checked-store.js';
import { eventually, until } from '../support/eventually.js';
import { Client } from '../support/client.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { begin, put, TEXT, upload } from './support/files.js';
import { StandInS3 } from './support/stand-in-s3.js';

describe('why files fail', () => {
  let store: StandInS3;
  let scanner: Server;
  let isScanning = true;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    store = await StandInS3.start();
    scanner = createServer((request, response) => {
      request.resume().once('end', () => {
        response.statusCode = isScanning ? 200 : 500;
        response.end('{"clean":true}');
      });
    });
    await new Promise<void>((resolve) => scanner.listen(0, '127.0.0.1', resolve));
    const { port } = scanner.address() as AddressInfo;
    parley = await Parley.start({ FILES_URL: store.url, FILE_SCAN_URL: `http://127.0.0.1:${port}/` });
    tenant = await parley.createTenant();
  });
  afterAll(async () => {
    await parley.stop();
    await store.stop();
    scanner.close();
  });

  const named = (name: string) =>
    eventually(
      async () => {
        const { body } = await new Client(parley.url, ADMIN_TOKEN).get('/health/node').expect(200);
        return body.causes.find((cause: { name: string }) => cause.name === name);
      },
      (cause) => cause !== undefined,
    );

  it('a store that fails is named with what it says, and what to do', async () => {
    const { bot, chatId } = tenant;
    const started = await begin(bot, chatId, 'a.txt', TEXT.length);
    expect((await put(started, TEXT)).status).toBe(200);
    store.behavior = { status: 503 };
    const { body } = await bot.post(`/uploads/${started.id}/complete`).expect(503);
    store.behavior = {};
    expect(body).toMatchObject({ code: 'unavailable', detail: 'Files are unavailable; retry later' });
    expect(await named('files_store')).toMatchObject({
      message: expect.stringContaining('503'),
      text: expect.stringContaining('store'),
      remedy: expect.stringContaining('FILES_URL'),
    });
    await bot.post(`/uploads/${started.id}/complete`).expect(200);
  });

  it('a file whose bytes are lost is named', async () => {
    const { bot, chatId } = tenant;
    const { id } = await upload(bot, chatId, 'lost.txt', TEXT);
    for (const key of store.keys()) if (key.includes(id)) store.objects.delete(key);
    await bot.get(`/files/${id}`).expect(503);
    expect(await named('files_missing')).toMatchObject({ remedy: expect.stringContaining('parley files check') });
  });

  it('a scanner without a verdict is named', async () => {
    const { bot, chatId } = tenant;
    const started = await begin(bot, chatId, 'b.txt', TEXT.length);
    await put(started, TEXT);
    isScanning = false;
    await bot.post(`/uploads/${started.id}/complete`).expect(503);
    isScanning = true;
    expect(await named('files_scanner')).toMatchObject({ message: 'the scanner answers 500 without a verdict' });
    await bot.post(`/uploads/${started.id}/complete`).expect(200);
  });

  it('a check that fails leaves no bytes if a call from before completes the upload', async () => {
    const { bot, chatId } = tenant;
    const started = await begin(bot, chatId, 'c.txt', TEXT.length);
    await put(started, TEXT);
    const files = await parley.app.get(CheckedStore).get();
    let goOn = () => {};
    const going = new Promise<void>((resolve) => (goOn = resolve));
    const size = files.size.bind(files);
    const asked = jest.spyOn(files, 'size').mockImplementationOnce((key) => going.then(() => size(key)));
    const completed = bot.post(`/uploads/${started.id}/complete`).then(({ status }) => status);
    await until('the first call has read the upload', () => asked.mock.calls.length === 1);
    isScanning = false;
    await bot.post(`/uploads/${started.id}/complete`).expect(503);
    isScanning = true;
    goOn();
    expect(await completed).toBe(200);
    asked.mockRestore();
    await until('the bytes of the failed check are gone', async () => {
      const removals = await parley.query('SELECT FROM file_removals WHERE cleared_at IS NULL');
      return removals.length === 0;
    });
    expect(store.keys().filter((key) => key.includes(started.id))).toHaveLength(1);
  });
});
