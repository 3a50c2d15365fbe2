import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { StandInS3 } from '../files/support/stand-in-s3.js';
import { Cli } from '../support/cli.js';
import { Parley } from '../support/parley.js';
import { closedPort } from '../support/ports.mjs';
import { temporaryDirectory } from '../support/process.js';

describe('what doctor says of files', () => {
  let parley: Parley;
  let store: StandInS3;
  let scanner: Server;
  let isBlind = false;

  beforeAll(async () => {
    parley = await Parley.start();
    store = await StandInS3.start();
    scanner = createServer((request, response) => {
      void buffer(request).then((bytes) => {
        response.end(JSON.stringify({ clean: isBlind || !bytes.includes('EICAR') }));
      });
    });
    await new Promise<void>((resolve) => scanner.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    scanner.close();
    await store.stop();
    await parley.stop();
  });

  const examine = async (environment: NodeJS.ProcessEnv) => {
    const { stdout } = await Cli.of(parley, environment).run('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] };
    return Object.fromEntries(checks.map(({ name, status, detail }) => [name, `${status}: ${detail}`]));
  };

  it('tries the store, and leaves nothing in it', async () => {
    const { files } = await examine({ FILES_URL: store.url });
    expect(files).toBe('ok: the store takes, copies, reads, lists, and removes bytes');
    expect(store.objects.size).toBe(0);
    store.behavior = { status: 503 };
    expect((await examine({ FILES_URL: store.url })).files).toMatch(/^failed: /);
    store.behavior = {};
  });

  it('asks the store whether browsers may upload', async () => {
    const found = async () => (await examine({ FILES_URL: store.url }))['files from browsers'];
    expect(await found()).toBe('ok: the store lets browsers upload from any site');
    store.behavior = { corsHeaders: 'x-other' };
    expect(await found()).toBe("warning: the store's CORS rules lack the header content-type");
    const FILES_PUBLIC_URL = `http://127.0.0.1:${await closedPort()}`;
    const { 'files from browsers': gone } = await examine({ FILES_URL: store.url, FILES_PUBLIC_URL });
    expect(gone).toMatch(/^failed: /);
    store.behavior = {};
  });

  it('tries the folder, and says nothing of files without one', async () => {
    const DATA_DIR = temporaryDirectory();
    expect(await examine({ DATA_DIR })).not.toHaveProperty('files');
    mkdirSync(join(DATA_DIR, 'files'));
    expect((await examine({ DATA_DIR })).files).toBe('ok: the folder takes, copies, reads, lists, and removes bytes');
    const full = await examine({ DATA_DIR, FILES_MIN_FREE: '999999999999999' });
    expect(full.files).toBe('warning: the disk is full: uploads are 503');
    expect((await examine({ DATA_DIR, FILES_MIN_FREE: '1 GB' })).files).toMatch(/^failed: FILES_MIN_FREE /);
    const left = join(DATA_DIR, 'files', 'doctor', 'incoming');
    expect(existsSync(left) ? readdirSync(left) : []).toEqual([]);
    rmSync(DATA_DIR, { recursive: true });
  });

  it('sends the scanner a harmless file and the one that it must find', async () => {
    const FILE_SCAN_URL = `http://127.0.0.1:${(scanner.address() as AddressInfo).port}/`;
    const found = await examine({ FILE_SCAN_URL });
    expect(found.scanner).toBe('ok: it takes a harmless file, and finds the EICAR test file');
    isBlind = true;
    expect((await examine({ FILE_SCAN_URL })).scanner).toBe("failed: it doesn't find the EICAR test file");
  });
});
