import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gateway } from './gateway.js';
import { Lines } from './lines.js';
import { TrafficLog } from './traffic-log.js';

it('the response of a proxy in front of the service is forwarded', async () => {
  const proxy = createServer((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const lines = new Lines(true, false, () => undefined);
  const gateway = new Gateway(
    `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    new TrafficLog(lines),
    lines,
    null,
    null,
  );
  try {
    const response = await fetch(`${await gateway.open(0)}/api/bot/events`);
    expect([response.status, await response.text()]).toEqual([502, '<h1>Bad gateway</h1>']);
  } finally {
    gateway.close();
    proxy.closeAllConnections();
    proxy.close();
  }
});
