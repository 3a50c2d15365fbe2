import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { StoreUnavailable } from '../store.js';
import { S3Client, type S3Request } from './s3-client.js';

const CONNECT_MS = 10_000;

describe('S3Client', () => {
  let server: Server;
  const sockets: Socket[] = [];
  let client: S3Client;

  // A server that takes connections, and never answers the handshake of TLS.
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
    server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = { origin, bucket: 'bucket', isVirtual: false, key: 'key', secret: 'secret', region: 'eu-test-1' };
    client = new S3Client(store, origin);
  });
  afterEach(async () => {
    jest.useRealTimers();
    client.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each<[string, () => Partial<S3Request>]>([
    ['without a body', () => ({ method: 'GET' })],
    ['with a body', () => ({ method: 'PUT', body: { stream: Readable.from([Buffer.from('hello')]), size: 5 } })],
  ])(
    'ends a request %s that gets no connection in 10 s',
    async (_, given) => {
      const sent = client.send({ method: 'GET', key: 'a', ...given() });
      const refused = expect(sent).rejects.toEqual(new StoreUnavailable('no connection in 10 s'));
      await once(server, 'connection');
      jest.advanceTimersByTime(CONNECT_MS);
      await refused;
    },
    10_000,
  );
});
