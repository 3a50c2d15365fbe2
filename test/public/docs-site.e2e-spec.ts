import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import request from 'supertest';
import { DocsFiles } from '../../src/api/public/docs/docs-files.js';
import { Parley } from '../support/parley.js';

const SOURCES = fileURLToPath(new URL('../../docs/', import.meta.url));
const PAGES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.startsWith('.vitepress'))
  .map((path) => path.replaceAll('\\', '/'));
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the documentation', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());

  const get = (path: string, headers: Record<string, string> = {}) => request(parley.url).get(path).set(headers);
  const addressOf = (page: string) => `/docs/${page.replace(/(?:index)?\.md$/, '')}`;
  const textOf = async (path: string) => (await get(path, { 'Accept-Encoding': 'identity' }).expect(200)).text;

  it('every page of the documentation is served as a page and as Markdown, and llms.txt lists it', async () => {
    expect(PAGES.length).toBeGreaterThan(60);
    const list = await textOf('/docs/llms.txt');
    for (const page of PAGES) {
      const { text, headers } = await get(addressOf(page), { 'Accept-Encoding': 'identity' });
      expect([page, headers['content-type']]).toEqual([page, 'text/html; charset=utf-8']);
      const [, title] = /^title: *['"]?(.+?)['"]?$/m.exec(readFileSync(SOURCES + page, 'utf8'))!;
      expect(text).toMatch(/<meta name="description" content="[^"]/);
      expect(text).toContain(`<link rel="alternate" type="text/markdown" href="/docs/${page}">`);
      const markdown = await get(`/docs/${page}`, { 'Accept-Encoding': 'identity' }).expect(200);
      expect([page, markdown.headers['content-type']]).toEqual([page, 'text/markdown; charset=utf-8']);
      expect(markdown.text).toContain(title!);
      if (page !== 'index.md') expect(list).toContain(`- [${title}](/docs/${page}): `);
    }
    expect(await textOf('/llms.txt')).toBe(list);
  });

  it('every link and every image in the Markdown of a page leads to a file that is served', async () => {
    const links = new Set<string>();
    for (const page of PAGES) {
      const text = (await textOf(`/docs/${page}`)).replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]+`/g, '');
      for (const [, target] of text.matchAll(/\]\(([^()\s#]+)(?:#[^()\s]*)?\)/g)) {
        if (!/^[a-z]+:/.test(target!)) links.add(new URL(target!, `http://docs/docs/${page}`).pathname);
      }
    }
    expect(links.size).toBeGreaterThan(60);
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
  });

  it('the type of an error leads to its row on the page of errors', async () => {
    const { body } = await get('/api/bot/groups').expect(401);
    const { text } = await get(body.type).redirects(1).expect(200);
    expect(text).toContain(`id="${body.code}"`);
    expect(new URL(body.type, parley.url).hash).toBe(`#${body.code}`);
  });

  it('the bot on the first page is the bot that Get started builds', () => {
    const [bot, same] = ['index.md', 'start/index.md'].map((page) => {
      return /^```js\n(import .*?)^```/ms.exec(readFileSync(SOURCES + page, 'utf8'))![1];
    });
    expect(bot).toBe(same);
  });

  it('a link from a page to a source file names a file that exists', () => {
    for (const page of PAGES) {
      const text = readFileSync(SOURCES + page, 'utf8');
      for (const [, target] of text.matchAll(/\]\((\.\.\/[^()\s#]+)(?:#[^()\s]*)?\)/g)) {
        expect(() => readdirOrRead(new URL(target!, new URL(page, `file://${SOURCES}`)))).not.toThrow();
      }
    }
  });

  it('a page runs only our files, loads nothing from outside, and is checked with the service each time', async () => {
    for (const path of ['/docs/', '/docs/bots/sdk', '/docs/reference/', '/docs/api/bot/', '/docs/api/admin/']) {
      const { text, headers } = await get(path, { Accept: BROWSER, 'Accept-Encoding': 'identity' }).expect(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      });
      expect(headers['content-security-policy']!.split('; ')).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "connect-src 'self'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/assets\/)| on\w+="/);
      const loaded = [...text.matchAll(/<(?:script|link|img|iframe|source)[^>]*? (?:src|href)="([^"]+)"/g)];
      expect(loaded.length).toBeGreaterThan(3);
      for (const [, url] of loaded) {
        expect(url).toMatch(/^\/docs\//);
        expect([url, (await get(url!)).status]).toEqual([url, 200]);
      }
      await get(path, { 'If-None-Match': headers.etag! }).expect(304);
      const head = await request(parley.url).head(path).expect(200);
      expect(head.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
      expect(head.text).toBeUndefined();
    }
  });

  it('the style sheets of the documentation load nothing from outside', async () => {
    const sheets = new Set<string>();
    for (const path of ['/docs/', '/docs/api/bot/']) {
      for (const [url] of (await textOf(path)).matchAll(/\/docs\/assets\/[\w.-]+\.css/g)) sheets.add(url);
    }
    expect(sheets.size).toBe(2);
    for (const url of sheets) expect(await textOf(url)).not.toMatch(/url\(["']?(?:https?:)?\/\/|@import/);
  });

  it("the documentation's assets are cached for a year, in the encodings that browsers accept", async () => {
    const [script] = /\/docs\/assets\/[\w.-]+\.js/.exec(await textOf('/docs/'))!;
    for (const [accepted, used] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const { headers } = await get(script, { 'Accept-Encoding': accepted }).buffer(false).expect(200);
      expect(headers['content-encoding']).toBe(used);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
      });
    }
    const [picture] = /(?<=\.\/)assets\/[\w.-]+\.webp/.exec(await textOf('/docs/index.md'))!;
    const { headers } = await get(`/docs/${picture}`, { 'Accept-Encoding': 'br' }).expect(200);
    expect(headers).toMatchObject({ 'content-type': 'image/webp' });
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it.each([
    ['/docs', '/docs/'],
    ['/docs/start', '/docs/start/'],
    ['/docs/inside/adr', '/docs/inside/adr/'],
    ['/docs/bots/sdk/', '/docs/bots/sdk'],
  ])('the address %s of the documentation leads to %s', async (path, target) => {
    await get(path).expect(302).expect('Location', target);
    await get(target).expect(200);
  });

  it('a browser gets a page of the documentation where none exists, and a program gets a problem', async () => {
    for (const path of ['/docs/nowhere', '/docs/bots/nowhere/', '/docs/assets']) {
      const { text } = await get(path, { Accept: BROWSER })
        .expect(404)
        .expect('Content-Type', /^text\/html/);
      expect(text).toContain('/docs/assets/');
      const { body } = await get(path).expect(404);
      expect(body).toMatchObject({ code: 'not_found', detail: 'Page not found' });
    }
    await get('/docs/assets/nothing.js', { Accept: BROWSER })
      .expect(404)
      .expect('Content-Type', /problem\+json/);
  });

  it.each([
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/assets/../../../package.json',
    '/docs/..\\..\\package.json',
    '/docs//etc/passwd',
    '/docs/.parley-built',
    '/docs/.vitepress/config.mjs',
    '/docs/%00',
    '/docs/%ff',
  ])('the path %s reaches no file beside the documentation', async (path) => {
    expect(await statusOf(parley.url, path)).toMatch(/^HTTP\/1\.1 40[04] /);
  });

  it.each(['bot', 'visitor', 'agent', 'admin'])(
    'the document of the %s API is JSON for programs, and leads browsers to its page in the reference',
    async (audience) => {
      const path = `/api/${audience}/docs`;
      const target = `/docs/api/${audience}/`;
      for (const accept of ['*/*', 'application/json']) {
        const { body } = await get(path, { Accept: accept })
          .expect(200)
          .expect('Vary', /Accept/);
        expect(body.openapi).toBe('3.1.0');
      }
      await get(path, { Accept: BROWSER })
        .expect(302)
        .expect('Location', target)
        .expect('Vary', /Accept/);
      expect(await textOf(target)).toContain(`data-document="${path}"`);
    },
  );

  it('an installation without built documentation says how to build it', async () => {
    const bare = await Parley.start();
    Object.assign(bare.app.get(DocsFiles), { names: new Set() });
    for (const path of ['/docs', '/docs/', '/docs/start/', '/llms.txt']) {
      const { body } = await request(bare.url).get(path).set('Accept', BROWSER).expect(404);
      expect(body).toMatchObject({ code: 'not_found', detail: expect.stringContaining('npm run build:docs') });
    }
    await bare.stop();
  });
});

/** The file's text, or a folder's names. */
function readdirOrRead(url: URL): unknown {
  try {
    return readFileSync(url);
  } catch {
    return readdirSync(url);
  }
}

/** The first line of the response to a path that is sent as it is: `fetch` would resolve its dots. */
function statusOf(url: string, path: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n`);
    });
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('error', reject).on('end', () => resolve(answer));
  });
}
