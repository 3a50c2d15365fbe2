import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Stage } from '../browser/support/stage.js';
import { Tour } from '../browser/support/tour.js';
import { until } from '../support/eventually.js';
import { codeIn } from './support/pages.js';
import { freePort, HERE, platforms, Program } from './support/runtimes.js';

const NEXT = join(HERE, 'node_modules/next/dist/bin/next');
/** Outside of `node_modules`, where Next.js compiles nothing. */
const SITE = join(HERE, 'dist/next');
const ENVIRONMENT = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;

const FILES = {
  'package.json': '{"private": true, "type": "module"}',
  'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(HERE)} } };`,
  'app/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"/>',
  'app/page.jsx': `import Link from 'next/link';
    export default () => <main><h1>First</h1><Link href="/second">To the second</Link></main>;`,
  'app/second/page.jsx': `import Form from 'next/form';
    import Link from 'next/link';
    export default () => (
      <main>
        <h1>Second</h1><Link href="/">To the first</Link>
        <Form action="/third"><button>Search</button></Form>
      </main>
    );`,
  'app/third/page.jsx': 'export default () => <h1>Third</h1>;',
};

describe('the widget in a Next.js app', () => {
  const stage = Stage.set();

  beforeAll(() => platforms.install(), 600_000);
  afterAll(() => rmSync(SITE, { recursive: true, force: true }));

  /** Builds the app with the layout of the documentation, as its site would. */
  async function build(): Promise<void> {
    const layout = codeIn('website/index', 'jsx')[0]!
      .replace('https://chat.example.com', stage.road.url)
      .replace('prl_wk_…', stage.tenant.widgetKey);
    rmSync(SITE, { recursive: true, force: true });
    for (const [name, text] of Object.entries({ ...FILES, 'app/layout.jsx': layout })) {
      mkdirSync(dirname(join(SITE, name)), { recursive: true });
      writeFileSync(join(SITE, name), text);
    }
    const program = Program.start('node', NEXT, ENVIRONMENT, 'build', SITE);
    expect([await program.ended(), program.output]).toEqual([0, expect.any(String)]);
  }

  it("the chat stays as it is when Next's router shows another page", async () => {
    await build();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const server = Program.start('node', NEXT, ENVIRONMENT, 'start', SITE, '-H', '127.0.0.1', '-p', `${port}`);
    try {
      await until('it listens', async () => (await fetch(url).catch(() => null)) !== null);
      const tour = await Tour.begin(stage, url);
      await tour.navigate();
    } finally {
      await server.stop();
    }
  }, 600_000);
});
