import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import request from 'supertest';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { ServiceProcess } from '../support/process.js';

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')) as {
  version: string;
};

describe('the SDK packages', () => {
  let parley: Parley;
  let tenant: Tenant;
  let folder: string;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    folder = mkdtempSync(join(tmpdir(), 'parley-sdk-'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await parley.stop();
  });

  const download = async (name: string) => {
    const response = await fetch(`${parley.url}/sdk/${name}`);
    writeFileSync(join(folder, name), Buffer.from(await response.arrayBuffer()));
  };
  const script = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  const install = async () => {
    for (const name of ['parley-bot.tgz', 'parley-visitor.tgz']) await download(name);
    const files = ['./parley-bot.tgz', './parley-visitor.tgz'];
    const flags = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
    await run('npm', ['install', ...flags, ...files], { cwd: folder, shell: process.platform === 'win32' });
  };
  /** The example in the packaged README. */
  const exampleOf = (name: string) => {
    const readme = readFileSync(join(folder, 'node_modules', name, 'README.md'), 'utf8');
    return /```js\n([^]*?)```/.exec(readme)![1]!;
  };

  it.each(['parley-bot.tgz', 'parley-visitor.tgz'])('an SDK package is revalidated with its ETag: %s', async (name) => {
    const { headers } = await request(parley.url).get(`/sdk/${name}`).expect(200);
    expect(headers).toMatchObject({ 'content-type': 'application/gzip', 'cache-control': 'no-cache' });
    expect(headers['content-encoding']).toBeUndefined();
    await request(parley.url).get(`/sdk/${name}`).set('If-None-Match', headers.etag!).expect(304);
  });

  it.each(['/sdk/', '/sdk/parley.tgz', '/sdk/..%2Fpackage.json', '/sdk/constructor'])(
    'no SDK package is served at %s',
    (path) => request(parley.url).get(path).expect(404),
  );

  it("the SDK packages install elsewhere without a registry, in the service's version, and work", async () => {
    await install();
    for (const name of ['parley-bot', 'parley-visitor']) {
      const text = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
      expect(JSON.parse(text)).toMatchObject({ name, version });
    }
    const bot = ServiceProcess.spawn(
      { URL: parley.url, TOKEN: tenant.token },
      script(
        'bot.js',
        `import { createBot } from 'parley-bot';
         const bot = createBot({ url: process.env.URL, token: process.env.TOKEN });
         bot.on('message', ({ message, reply }) => reply('You said: ' + message.content));
         console.log('started');
         await bot.run();
         console.log('stopped');`,
      ),
    );
    await bot.prints(/started/);
    await eventually(
      () => tenant.bot.get('/subscription'),
      ({ body }) => body.lastPolledAt != null,
    );
    const visitor = ServiceProcess.spawn(
      {},
      script(
        'visitor.js',
        exampleOf('parley-visitor')
          .replace('https://chat.example.com', parley.url)
          .replace('prl_wk_…', tenant.widgetKey),
      ),
    );
    await visitor.prints(/^Bot: You said: hello$/m);
    await visitor.kill('SIGTERM');
    expect(await bot.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(bot.output).toContain('stopped');
  });

  it('the visitor package contains the React example that its guide copies', async () => {
    await install();
    const files = ['README.md', 'index.html', 'package.json', 'src/chat.jsx', 'src/main.jsx', 'src/use-chat.js'];
    for (const file of files.map((name) => `examples/react-chat/${name}`)) {
      const packed = readFileSync(join(folder, 'node_modules/parley-visitor', file), 'utf8');
      expect(packed).toBe(readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8'));
    }
  });

  it('the SDK packages contain types', async () => {
    await install();
    const file = script(
      'types.ts',
      `import { createBot, verifyWebhook, type ParleyEvent } from 'parley-bot';
       import { testBot } from 'parley-bot/test';
       import { createVisitorClient, type Chat, type Message } from 'parley-visitor';
       export const client = createVisitorClient({ url: '', widgetKey: '' });
       export const opened: Promise<Chat> = client.openChat();
       export const messages: readonly Message[] = client.messages.value;
       // @ts-expect-error -- a client needs a key
       createVisitorClient({ url: '' });
       export const bot = createBot({ url: '', token: '', onNewMessage: 'interrupt' });
       export const handler: (request: Request) => Promise<Response> = bot.fetch({ secret: '' });
       export const event: Promise<ParleyEvent> = verifyWebhook('', new Headers(), '');
       export const replies: Promise<string[]> = testBot(bot).say('hello').then((result) => result.replies.map(({ content }) => content));`,
    );
    const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', '--lib', 'es2023,dom'];
    await run(process.execPath, [compiler, ...flags, file], { cwd: folder });
  });
});
