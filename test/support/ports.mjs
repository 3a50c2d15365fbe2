import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return String(port);
}

/** A port of 127.0.0.1 that refuses connections. */
export async function closedPort() {
  const port = await freePort();
  const isClosed = await new Promise((resolve) => {
    const probe = connect(Number(port), '127.0.0.1')
      .once('connect', () => {
        probe.destroy();
        resolve(false);
      })
      .once('error', () => resolve(true));
  });
  return isClosed ? port : closedPort();
}
