import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Parley } from '../support/parley.js';

describe("the console's files", () => {
  let parley: Parley;
  let script: string;

  beforeAll(async () => {
    parley = await Parley.start();
    script = /src="(\/console\/assets\/[\w.-]+\.js)"/.exec((await get('/console')).text)![1]!;
  });
  afterAll(() => parley.stop());

  const get = (path: string, headers: Record<string, string> = {}) => request(parley.url).get(path).set(headers);

  it.each(['/console', '/console/', '/console/link', '/console/waiting/cht_1', '/console/groups/grp_1/cht_1'])(
    "the console is one page at %s that runs only our code and can't be framed",
    async (path) => {
      const { text, headers } = await get(path).expect(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      const policy = headers['content-security-policy']!.split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'self'",
          "script-src 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ]),
      );
      expect(text).not.toMatch(/<script(?![^>]* src="\/console\/assets\/)|<style| on\w+=| style=/);
      await get(path, { 'If-None-Match': headers.etag! }).expect(304);
    },
  );

  it("the console's assets are cached for a year, in the encodings that browsers accept", async () => {
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
  });

  it.each(['/console/assets/index.js', '/console/assets/..%2Findex.html'])(
    "a missing asset of the console isn't answered with the page: %s",
    async (path) => {
      const { text } = await get(path);
      expect(text).not.toContain('console needs JavaScript');
    },
  );
});
