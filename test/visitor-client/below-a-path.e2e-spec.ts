import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBot } from '../../packages/bot/src/index.js';
import { createVisitorClient, readSettings } from '../../widget/client.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { PathProxy } from '../support/path-proxy.js';

describe.each(['keeps', 'removes'] as const)('clients below a path that the proxy %s', (handling) => {
  let parley: Parley;
  let proxy: PathProxy;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ PUBLIC_URL: 'https://shop.example/support/chat' });
    proxy = await PathProxy.start({ '/support/chat': parley.url }, handling);
    tenant = await parley.createTenant();
  });
  afterAll(async () => {
    await proxy.stop();
    await parley.stop();
  });

  it.each(['', '/'])('a client and a bot with the path in their url, with %j at its end, talk', async (end) => {
    const url = `${proxy.url}/support/chat${end}`;
    const bot = createBot({ url, token: tenant.token });
    bot.on('message', ({ message, reply }) => reply(`You said: ${message.content}`));
    const running = bot.run();
    const client = createVisitorClient({ url, widgetKey: tenant.widgetKey });
    await client.openChat();
    await eventually(
      () => client.connection.value.state,
      (state) => state === 'online',
    );
    await client.send('Hello');
    await eventually(
      () => client.messages.value.map(({ content }) => content),
      (contents) => contents.join() === 'Hello,You said: Hello',
    );
    expect(await readSettings({ url, widgetKey: tenant.widgetKey })).toMatchObject({ name: 'Acme' });
    client.close();
    await bot.stop();
    await running;
  });
});
