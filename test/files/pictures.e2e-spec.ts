import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PictureUpkeep } from '../../src/pictures/picture-upkeep.js';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { PNG, WEBP } from '../support/pictures.js';
import { upload } from './support/files.js';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name));
const dataOf = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`;
const RED = `data:image/png;base64,${PNG}`;
const toStatus = ({ status }: { status: number }) => status;
const HOUR_MS = 3_600_000;

/** A PNG whose header says that it has so many pixels. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(PNG, 'base64');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

describe('pictures of agents and mails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let server: Server;
  const host = { url: '', requests: 0, answer: ((_, response) => response.end()) as RequestListener };

  beforeAll(async () => {
    server = createServer((request, response) => {
      host.requests += 1;
      host.answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
    parley = await Parley.start({ DATA_DIR: folder, WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada', role: 'SUPERVISOR' });
  });
  afterAll(async () => {
    await parley.stop();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const choose = async (avatarUrl: string | null): Promise<string> =>
    (await ada.client.patch('/session', { avatarUrl }).expect(200)).body.agent.avatarUrl;
  const stored = ({ id }: Tenant): string[] => {
    const path = join(folder, 'files', id, 'files');
    return statSync(path, { throwIfNoEntry: false }) ? readdirSync(path) : [];
  };
  const statusOf = async (url: string) => (await fetch(url)).status;

  it("an agent's picture is served to everyone by an address that needs no token and stays in caches", async () => {
    const url = await choose(RED);
    expect(url).toMatch(new RegExp(`^${parley.url}/files/upl_[0-9a-z]{26}/picture$`));
    const { body } = await tenant.admin.get(`/agents/${ada.id}`).expect(200);
    expect(body.avatarUrl).toBe(url);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(PNG);
    // The address itself chooses the same picture, and nothing is stored twice.
    expect(await choose(url)).toBe(url);
    expect(stored(tenant)).toHaveLength(1);
  });

  it('a replaced, removed, or refused picture leaves nothing', async () => {
    const first = await choose(RED);
    const second = await choose(`data:image/webp;base64,${WEBP}`);
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    expect(await choose(null)).toBeNull();
    expect(await statusOf(second)).toBe(404);
    const email = `${ada.id}@example.com`;
    const { id } = (await tenant.admin.post('/agents', { name: 'B', email, avatarUrl: RED }).expect(201)).body;
    await tenant.admin.post('/agents', { name: 'C', email, avatarUrl: RED }).expect(409);
    await tenant.admin.delete(`/agents/${id}`).expect(204);
    await parley.app.get(PictureUpkeep).run(new Date(Date.now() + HOUR_MS));
    await until('no bytes are left', () => stored(tenant).length === 0);
    expect((await tenant.admin.get('/files').expect(200)).body).toMatchObject({ files: 0, bytes: 0, unfinished: 0 });
  });

  it('loses what its metadata says about place and device', async () => {
    const url = await choose(dataOf(fixture('photo.jpg'), 'jpeg'));
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(bytes.length).toBeLessThan(fixture('photo.jpg').length);
    for (const word of ['GPS', 'Canon', 'Apple', 'http://ns.adobe.com/xap']) expect(bytes.includes(word)).toBe(false);
  });

  it('hostile and odd pictures are refused at the field', async () => {
    const before = (await ada.client.get('/session').expect(200)).body;
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
    for (const avatarUrl of [
      dataOf(Buffer.from(svg)),
      `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
      dataOf(Buffer.from('<!doctype html><script>alert(1)</script>')),
      dataOf(Buffer.concat([Buffer.from('GIF89a'), Buffer.from('<script>')])),
      dataOf(fixture('animated.gif')),
      dataOf(fixture('photo.heic')),
      dataOf(pngOf(60_000, 60_000)),
      dataOf(pngOf(4_097, 1)),
      dataOf(Buffer.from(PNG, 'base64').subarray(0, 20)),
      dataOf(Buffer.alloc(2_097_153)),
      'data:image/png;base64,',
      'data:image/png;base64,====',
      'data:text/html,<script>',
      'file:///etc/passwd',
      'http://169.254.169.254/latest/meta-data',
      'http://localhost:1/a.png',
    ])
      for (const send of [
        () => ada.client.patch('/session', { avatarUrl }),
        () => tenant.admin.patch('', { mail: { logoUrl: avatarUrl } }),
      ]) {
        const { body } = await send().expect(400);
        expect([avatarUrl.slice(0, 60), body.errors[0].pointer]).toEqual([
          avatarUrl.slice(0, 60),
          expect.stringMatching(/^\/avatarUrl$|^\/mail\/logoUrl$/),
        ]);
      }
    expect((await ada.client.get('/session').expect(200)).body).toEqual(before);
  });

  it('an address of another host is fetched once, and errors say what the host answered', async () => {
    host.answer = (_, response) => void response.end(Buffer.from(PNG, 'base64'));
    const url = await choose(host.url);
    expect(url).toContain(`${parley.url}/files/`);
    await fetch(url);
    expect(host.requests).toBe(1);
    const refusal = async () =>
      (await tenant.admin.patch('', { mail: { logoUrl: host.url } }).expect(400)).body.errors as object[];
    host.answer = (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end();
    expect(await refusal()).toEqual([
      { pointer: '/mail/logoUrl', detail: expect.stringMatching(/^can't be fetched: answered 302: a redirect to/) },
    ]);
    host.answer = (_, response) => void response.writeHead(404).end();
    expect(await refusal()).toEqual([{ pointer: '/mail/logoUrl', detail: "can't be fetched: answered 404" }]);
    host.answer = (_, response) => void response.end(Buffer.alloc(2_097_153));
    expect(await refusal()).toEqual([{ pointer: '/mail/logoUrl', detail: "can't be fetched: answered too much" }]);
    host.answer = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('<html>');
    expect(await refusal()).toEqual([{ pointer: '/mail/logoUrl', detail: 'must be a PNG, JPEG, or WebP picture' }]);
  });

  it('an organization whose hosts are silent can have four pictures fetched, and others go on', async () => {
    const waiting: ServerResponse[] = [];
    host.answer = (_, response) => void waiting.push(response);
    const fetched = Array.from({ length: 4 }, () =>
      tenant.admin.patch('', { mail: { logoUrl: host.url } }).then(toStatus),
    );
    await until('four requests have arrived', () => waiting.length === 4);
    await tenant.admin.patch('', { mail: { logoUrl: host.url } }).expect(503);
    await tenant.admin.patch('', { mail: { logoUrl: RED } }).expect(200);
    host.answer = (_, response) => void response.end(Buffer.from(PNG, 'base64'));
    const other = await parley.createTenant();
    await other.admin.patch('', { mail: { logoUrl: host.url } }).expect(200);
    for (const response of waiting) response.writeHead(404).end();
    expect(await Promise.all(fetched)).toEqual([400, 400, 400, 400]);
    await tenant.admin.patch('', { mail: { logoUrl: null } }).expect(200);
  });

  it('only pictures have such an address, and each organization has its own', async () => {
    const url = await choose(RED);
    const file = await upload(tenant.bot, tenant.chatId, 'a.png', Buffer.from(PNG, 'base64'));
    expect(await statusOf(`${parley.url}/files/${file.id}/picture`)).toBe(404);
    expect(await statusOf(`${url}?expires=9&signature=x`)).toBe(404);
    expect(await statusOf(`${parley.url}/files/upl_%00/picture`)).toBe(404);
    const other = await parley.createTenant();
    const eve = await parley.signInAgent(other, { name: 'Eve' });
    // It's fetched as any address, and becomes a picture of the other organization.
    const taken = (await eve.client.patch('/session', { avatarUrl: url }).expect(200)).body.agent.avatarUrl;
    expect(taken).not.toBe(url);
    await eve.client.patch('/session', { avatarUrl: null }).expect(200);
    expect([await statusOf(taken), await statusOf(url)]).toEqual([404, 200]);
  });

  it("counts towards the organization's quota, and goes with the organization", async () => {
    const other = await parley.createTenant();
    await other.admin.patch('', { fileQuota: 10 }).expect(200);
    await other.admin.patch('', { mail: { logoUrl: RED } }).expect(409);
    await other.admin.patch('', { fileQuota: null }).expect(200);
    const { body } = await other.admin.patch('', { mail: { logoUrl: RED } }).expect(200);
    expect(await statusOf(body.mail.logoUrl)).toBe(200);
    expect(stored(other)).toHaveLength(1);
    await parley.admin.delete(`/${other.id}?now=true`).expect(204);
    await until('its bytes are gone', () => stored(other).length === 0);
    expect(await statusOf(body.mail.logoUrl)).toBe(404);
  });

  it('a large picture may arrive in many pieces', async () => {
    const { hostname, port } = new URL(parley.url);
    const png = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(1_500_000)]);
    const body = JSON.stringify({ avatarUrl: `data:image/png;base64,${png.toString('base64')}` });
    const socket = connect(Number(port), hostname);
    const head = `PATCH /api/agent/session HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${ada.token}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
    for (let at = 0; at < body.length; at += 1_448) {
      const piece = body.slice(at, at + 1_448);
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    }
    socket.write('0\r\n\r\n');
    expect((await socket.toArray()).join('')).toContain('HTTP/1.1 200');
  });

  it('visitors never get the address of another host, even if the database has one', async () => {
    const { chatId } = tenant;
    await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    await parley.query('UPDATE agents SET avatar_url = $2 WHERE id = $1', [ada.id, host.url]);
    host.requests = 0;
    await parley.app.get(PictureUpkeep).run();
    const { body } = await parley.visitor(tenant.visitorToken).post('/chats', {});
    expect([body.chat.assignedTo.avatarUrl, host.requests]).toEqual([null, 0]);
  });
});
