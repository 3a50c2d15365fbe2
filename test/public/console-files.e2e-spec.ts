import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { HttpAdapterHost } from '@nestjs/core';
import { FileLinks } from '../../src/files/file-links.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { Parley } from '../support/parley.js';

const SECRETS = { SECRET_KEY: 'a'.repeat(64), ADMIN_TOKEN: 'b'.repeat(64) };

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

  it('the page may send files to their origin, and play sounds from there', async () => {
    const { headers, text } = await get('/console').expect(200);
    const policy = headers['content-security-policy']!.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        `connect-src 'self' ${parley.url}`,
        "img-src 'self' data: blob: http: https:",
        `media-src 'self' blob: ${parley.url}`,
      ]),
    );
    expect(text).toContain('<html lang="en" data-max-file="26214400">');
  });

  it.each([
    [{ FILES_ORIGIN: 'https://files.example/' }, 'https://files.example'],
    [{ PUBLIC_URL: 'https://shop.example/chat' }, 'https://shop.example'],
    [
      { PUBLIC_URL: 'https://shop.example', FILES_URL: 's3://k:s@store.example:9000/b?style=virtual' },
      'https://shop.example https://b.store.example:9000',
    ],
    [
      {
        FILES_ORIGIN: 'https://files.example',
        FILES_URL: 's3://k:s@10.0.0.1/b',
        FILES_PUBLIC_URL: 'https://s3.example',
      },
      'https://files.example https://s3.example',
    ],
  ])('with %j, files have the origins %s', (settings, origins) => {
    const config = loadConfig({ ...SECRETS, ...settings });
    expect(new FileLinks(config, {} as HttpAdapterHost).origins.join(' ')).toBe(origins);
  });

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
