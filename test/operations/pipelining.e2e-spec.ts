import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { Pipeline, request } from './support/pipeline.js';

const LIVE = request('/health/live');
/** Over 64 kB. */
const LARGE = request('/api/admin/docs');
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('pipelined requests', () => {
  let parley: Parley;
  let tenant: Tenant;
  const open = new Set<Pipeline>();

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterEach(() => {
    for (const pipeline of open) pipeline.close();
    open.clear();
  });
  afterAll(() => parley.stop());

  const begin = async () => {
    const pipeline = await Pipeline.open(parley.url);
    open.add(pipeline);
    return pipeline;
  };
  const value = async (name: string, labels?: Record<string, string>) =>
    (await Scrape.of(parley.url)).value(name, labels) ?? 0;
  const closed = (limit: string) => value('parley_http_connections_closed_total', { limit });
  /** A request that runs until the connection closes. */
  const poll = () => request('/api/bot/events?wait=25', { headers: [`Authorization: Bearer ${tenant.token}`] });

  it('a request and 8 that wait are answered in order', async () => {
    const pipeline = (await begin()).send(LIVE, request('/nowhere'), ...times(7, LIVE));
    expect(await pipeline.answers(9)).toEqual([200, 404, ...times(7, 200)]);
  });

  it('a client that reads may pipeline on and on', async () => {
    const pipeline = (await begin()).send(...times(8, LIVE));
    for (let count = 1; count <= 400; count++) {
      await pipeline.answers(count);
      pipeline.send(LIVE);
    }
    expect(await pipeline.answers(408)).toEqual(times(408, 200));
  });

  it.each([
    ['GET', LIVE],
    ['HEAD', request('/health/live', { method: 'HEAD' })],
    ['OPTIONS', request('/api/visitor/chats', { method: 'OPTIONS' })],
    ['POST', request('/nowhere', { method: 'POST', headers: ['Content-Length: 2'], body: '{}' })],
    ['an unknown expectation', request('/health/live', { headers: ['Expect: cake'] })],
    ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n'],
    ['a poll of Socket.IO', request('/socket.io/?EIO=4&transport=polling')],
    ['an upgrade', request('/socket.io/?EIO=4', { headers: ['Connection: Upgrade', 'Upgrade: websocket'] })],
  ])('a connection with more than 8 waiting requests is closed: %s', async (name, waiting) => {
    const before = await closed('waiting_requests');
    const pipeline = (await begin()).send(poll(), ...times(9, waiting));
    expect(await pipeline.end()).toEqual([]);
    // Node itself ends a connection that is upgraded too early.
    if (name !== 'an upgrade') expect(await closed('waiting_requests')).toBe(before + 1);
  });

  it('what comes after the limit is not parsed', async () => {
    const before = await value('parley_http_requests_total');
    const pipeline = (await begin()).send(...times(1_000, request('/nowhere')));
    await pipeline.end();
    expect((await value('parley_http_requests_total')) - before).toBeLessThan(12);
  });

  it('a client that reads nothing holds one large answer, and its connection ends', async () => {
    const large = { route: '/api/admin/docs' };
    const answered = await value('parley_http_requests_total', large);
    const ended = await closed('unread_answers');
    const pipeline = (await begin()).send(...times(8, LARGE));
    await until('the connection ends', async () => (await closed('unread_answers')) === ended + 1);
    expect((await value('parley_http_requests_total', large)) - answered).toBe(1);
    expect(await pipeline.end()).toEqual([200]);
  });

  it('a client that waits for each answer gets every large one', async () => {
    const pipeline = await begin();
    for (let count = 1; count <= 5; count++) {
      pipeline.send(LARGE);
      await pipeline.answers(count);
      // Its body.
      await (await begin()).send(LIVE).answers(1);
    }
    expect(await pipeline.send(LIVE).answers(6)).toEqual(times(6, 200));
  });

  it('at most 1,000 requests wait in a process', async () => {
    const before = await closed('all_waiting_requests');
    const holder = await parley.database.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE groups IN ACCESS EXCLUSIVE MODE');
    const waiting = request('/api/bot/groups', { headers: [`Authorization: Bearer ${tenant.token}`] });
    const all = await Promise.all(times(130, null).map(begin));
    for (const pipeline of all) pipeline.send(waiting, ...times(8, LIVE));
    await until('5 connections are closed', async () => (await closed('all_waiting_requests')) === before + 5);
    // Closed connections make room.
    for (const pipeline of all) pipeline.close();
    await holder.query('ROLLBACK');
    holder.release();
    const pipeline = (await begin()).send(...times(9, LIVE));
    expect(await pipeline.answers(9)).toEqual(times(9, 200));
  });

  it('the body of a waiting request arrives', async () => {
    const body = JSON.stringify({ chatId: tenant.chatId, content: 'hello' });
    const headers = [
      `Authorization: Bearer ${tenant.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const post = request('/api/bot/messages', { method: 'POST', headers, body });
    expect(await (await begin()).send(...times(4, post)).answers(4)).toEqual(times(4, 200));
  });
});
