import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import request from 'supertest';
import { Parley } from '../support/parley.js';

describe("the widget's files", () => {
  let parley: Parley;
  let panel: string;
  let words: string;

  beforeAll(async () => {
    parley = await Parley.start();
    const { text } = await get('/widget.js');
    panel = /panel\.[\w-]+\.js/.exec(text)![0];
    const [language] = readdirSync(new URL('../../dist/widget', import.meta.url)).filter((name) =>
      name.startsWith('words.de.'),
    );
    words = language!;
  });
  afterAll(() => parley.stop());

  const get = (path: string, headers: Record<string, string> = {}) => request(parley.url).get(path).set(headers);

  it("the widget's files are for pages of every origin, in the encodings that browsers accept", async () => {
    for (const path of ['/widget.js', `/widget/${panel}`, `/widget/${words}`]) {
      for (const [accepted, used] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['identity', undefined],
      ] as const) {
        const { headers } = await get(path, { 'Accept-Encoding': accepted }).buffer(false).expect(200);
        expect(headers['content-encoding']).toBe(used);
        expect(headers).toMatchObject({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'content-type': 'text/javascript; charset=utf-8',
          vary: 'Accept-Encoding',
        });
      }
    }
  });

  it("the widget's files are revalidated soon, and cached for a year if the name contains a hash", async () => {
    const launcher = await get('/widget.js').expect(200);
    expect(launcher.headers['cache-control']).toMatch(/^public, max-age=300\b/);
    await get('/widget.js', { 'If-None-Match': launcher.headers.etag! }).expect(304);
    for (const name of [panel, words]) {
      const { headers } = await get(`/widget/${name}`).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it.each([
    ['a panel', () => panel, 'panel.0therRe1.js'],
    ['the words of a language', () => words, 'words.de.0therRe1.js'],
  ])("the widget's files contain %s, even for the launcher of another release", async (_, name, other) => {
    const ours = await get(`/widget/${name()}`).expect(200);
    const theirs = await get(`/widget/${other}`).expect(200);
    expect(theirs.text).toBe(ours.text);
    expect(theirs.headers['cache-control']).toBe('no-cache');
  });

  it.each([
    '/widget/widget.js',
    '/widget/panel.js',
    '/widget/words.de.js',
    '/widget/words.xx.0therRe1.js',
    '/widget/..%2Fsrc%2Fmain.js',
    '/widget/',
  ])('no file of the widget is served at %s', (path) => get(path).expect(404));
});
