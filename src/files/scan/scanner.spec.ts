import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import type { Config } from '../../platform/config/config.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { FileStore } from '../stores/store.js';
import { Scanner } from './scanner.js';

const metrics = { histogram: () => ({ observe: () => undefined }) } as unknown as Metrics;
const store = { read: () => Promise.resolve(Readable.from([Buffer.from('x')])) } as unknown as FileStore;

it('a scanner that is down is logged once, with the cause', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const scanner = new Scanner({ FILE_SCAN_URL: 'clamd://127.0.0.1:1' } as Config, metrics);
  for (let at = 0; at < 2; at++) await expect(scanner.isClean(store, 'key', 1)).rejects.toThrow(/scanned/);
  const cause = { name: 'files_scanner', message: 'connect ECONNREFUSED 127.0.0.1:1' };
  expect(warn.mock.calls).toEqual([[{ cause }, expect.stringContaining('FILE_SCAN_URL')]]);
  warn.mockRestore();
});

const LIMITED: [string, string, () => Server][] = [
  [
    'ClamAV',
    'clamd',
    () => createServer((socket) => socket.once('data', () => socket.end('INSTREAM size limit exceeded. ERROR\0'))),
  ],
  [
    'a scanner over HTTP',
    'http',
    () => createHttpServer((request, response) => request.resume().once('end', () => response.writeHead(413).end())),
  ],
];

it.each(LIMITED)('a file over the size limit of %s is refused, and that is no outage', async (_, protocol, create) => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const server = create().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const scanner = new Scanner({ FILE_SCAN_URL: `${protocol}://127.0.0.1:${port}` } as Config, metrics);
  expect(await scanner.isClean(store, 'key', 1)).toBe(false);
  expect(warn.mock.calls).toEqual([[{ size: 1 }, expect.stringContaining('too large')]]);
  warn.mockRestore();
  server.close();
});
