import { beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRepository } from '../support/example.js';
import { Stage } from './support/stage.js';
import { Tour } from './support/tour.js';
import { buildWithVite } from './support/vite.js';

const { resolve } = createRequire(import.meta.url);
const read = (name: string) => readFileSync(resolve(name), 'utf8');

/** Two pages that link to each other, and a form that leads to the second. */
const PAGES = {
  body: '<h1>First</h1><a href="/second">To the second</a>',
  paths: {
    '/second': {
      body: '<h1>Second</h1><a href="/">To the first</a><form action="/third"><button>Search</button></form>',
    },
    '/third': { body: '<h1>Third</h1>' },
  },
};

describe('the widget on sites whose router changes the page', () => {
  const stage = Stage.set();

  describe('Turbo', () => {
    beforeEach(() => {
      const paths = { ...PAGES.paths, '/turbo.js': { script: read('@hotwired/turbo/dist/turbo.es2017-umd.js') } };
      Object.assign(stage.site.page, PAGES, { paths });
    });

    it.each([
      ['replaces the body', ''],
      ['morphs the page', '<meta name="turbo-refresh-method" content="morph">'],
    ])('the chat stays as it is when Turbo %s', async (_, meta) => {
      stage.site.page.head = `<script src="/turbo.js"></script>${meta}`;
      const tour = await Tour.begin(stage);
      await tour.navigate();
      await tour.visit.page.evaluate(`Turbo.visit(location.href, { action: 'replace' })`);
      await tour.heading('Second');
      expect(await tour.visit.page.locator('parley-widget').count()).toBe(1);
    });

    it('the chat stays as it is when the script is in the body that Turbo replaces', async () => {
      Object.assign(stage.site.page, { head: '<script src="/turbo.js"></script>', hasScriptInBody: true });
      await (await Tour.begin(stage)).navigate();
    });
  });

  describe('htmx', () => {
    it.each([
      ['the body', 'hx-boost="true"'],
      ['a part of the page', 'hx-boost="true" hx-target="#part" hx-select="#part" hx-swap="outerHTML"'],
    ])('the chat stays as it is when htmx swaps %s', async (_, attributes) => {
      const boosted = (body: string) => `<div id="part" ${attributes}>${body}</div>`;
      const paths = Object.fromEntries(
        Object.entries(PAGES.paths).map(([path, { body }]) => [path, { body: boosted(body) }]),
      );
      Object.assign(stage.site.page, {
        head: '<script src="/htmx.js"></script>',
        body: boosted(PAGES.body),
        paths: { ...paths, '/htmx.js': { script: read('htmx.org/dist/htmx.min.js') } },
      });
      await (await Tour.begin(stage)).navigate();
    });
  });

  describe('React Router', () => {
    const APP = `
      import { createElement as h, useEffect } from 'react';
      import { createRoot } from 'react-dom/client';
      import { createBrowserRouter, Form, Link, Outlet } from 'react-router';
      import { RouterProvider } from 'react-router/dom';

      function Chat() {
        useEffect(() => {
          Parley('boot');
          return () => Parley('shutdown');
        }, []);
        return null;
      }
      const page = (title, ...more) => h('main', null, h('h1', null, title), ...more);
      const first = page('First', h(Link, { to: '/second' }, 'To the second'), h(Link, { to: '/quiet' }, 'To the quiet'));
      const second = page(
        'Second',
        h(Link, { to: '/' }, 'To the first'),
        h(Form, { action: '/third' }, h('button', null, 'Search')),
      );
      const withChat = h('div', null, h(Chat), h(Outlet));
      const quiet = page('Quiet', h(Link, { to: '/' }, 'To the first'));
      const router = createBrowserRouter([
        {
          element: withChat,
          children: [
            { path: '/', element: first },
            { path: '/second', element: second },
            { path: '/third', element: page('Third') },
          ],
        },
        { path: '/quiet', element: quiet },
      ]);
      createRoot(document.body.appendChild(document.createElement('div'))).render(h(RouterProvider, { router }));`;

    let script: string;

    beforeEach(async () => {
      script ??= await bundle(APP);
      const stub = 'window.Parley = function () { (Parley.q = Parley.q || []).push(arguments); };';
      Object.assign(stage.site.page, {
        body: '<script src="/app.js" type="module"></script>',
        head: `<script>${stub}</script>`,
        paths: { '/app.js': { script } },
      });
    });

    it('the chat stays as it is when React Router shows another page', async () => {
      await (await Tour.begin(stage)).navigate();
    });

    it('a page without the chat takes it away, and the next page has it again, open and with its draft', async () => {
      const tour = await Tour.begin(stage);
      const { visit } = tour;
      await visit.page.getByRole('link', { name: 'To the quiet' }).click();
      await tour.heading('Quiet');
      await visit.page.locator('parley-widget').waitFor({ state: 'detached' });
      await visit.page.getByRole('link', { name: 'To the first' }).click();
      await tour.heading('First');
      await visit.launcher.waitFor();
      await visit.open();
      await visit.sees('Hello');
      expect(await visit.composer.inputValue()).toBe('Half a sen');
      expect(visit.complaints).toEqual([]);
    });
  });
});

/** An application in one script, as its site would build it. */
async function bundle(source: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-router-'));
  symlinkSync(inRepository('node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'app.js'), source);
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="/app.js"></script>');
  const files = await buildWithVite(folder);
  rmSync(folder, { recursive: true });
  return Object.entries(files).find(([name]) => name.endsWith('.js'))![1];
}
