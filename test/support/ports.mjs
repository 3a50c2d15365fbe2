import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Below the ports that outgoing connections get, so that none takes a free port before its service does. */
const [LOWEST, HIGHEST] = [15_000, 32_000];

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort() {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return String(port);
  }
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
