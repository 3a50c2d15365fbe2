import { DemoService } from '../../src/api/public/demo/demo.service.js';
import { Client } from '../support/client.js';
import { ADMIN_TOKEN, type Parley } from '../support/parley.js';

/** Requests every public page and file, and signs in to the demo. */
export async function exercisePublic(parley: Parley): Promise<void> {
  await parley.app.get(DemoService).prepare();
  const { key } = (await parley.app.get(DemoService).prepare())!;
  await new Client(parley.url, key).get('/demo/session').expect(200);
  await new Client(parley.url, key).post('/demo/sign-in-link').expect(201);
  await get(
    parley,
    '/demo',
    '/demo/style.css',
    '/widget.js',
    '/test-chat?key=prl_wk_abc',
    '/continue',
    '/continue/page.js',
    '/api/bot/docs',
    '/api/visitor/docs',
    '/api/agent/docs',
    '/api/admin/docs',
    '/llms.txt',
  );
  await get(parley, '/sdk/parley-bot.tgz', '/sdk/parley-visitor.tgz');
  const script = await fetch(`${parley.url}/widget.js`).then((answer) => answer.text());
  await get(parley, `/widget/${/[\w.-]+\.js/.exec(script.replace('widget.js', ''))![0]}`);
  const page = await fetch(`${parley.url}/console`).then((answer) => answer.text());
  await get(
    parley,
    '/console',
    '/console/link',
    '/console/mine/one',
    '/console/group/one/two',
    '/console/app/worker.js',
    `/console/assets/${/[\w.-]+\.js/.exec(page)![0]}`,
  );
  await get(parley, '/health/live', '/health/ready', '/metrics');
  await new Client(parley.url, ADMIN_TOKEN).get('/health/node').expect(200);
}

async function get(parley: Parley, ...paths: string[]): Promise<void> {
  for (const path of paths) await new Client(parley.url).get(path).expect(200);
}
