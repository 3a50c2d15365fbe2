import { afterEach, describe, expect, it } from '@jest/globals';
import { cpSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Cli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { freePort } from '../support/ports.mjs';

const SECRETS = { ADMIN_TOKEN: 'admin-token-of-the-copies', SECRET_KEY: 'secret-key-of-the-copies', DEMO: '0' };

describe("a copy of DATA_DIR with Parley's own PostgreSQL", () => {
  const services: ServiceProcess[] = [];
  const directories: string[] = [];

  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.kill('SIGTERM')));
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  });

  const path = () => {
    directories.push(temporaryDirectory());
    return join(directories.at(-1)!, 'data');
  };
  const spawn = async (DATA_DIR: string) => {
    const PORT = await freePort();
    const service = ServiceProcess.spawn({ ...SECRETS, DATA_DIR, PORT });
    services.push(service);
    const ready = () => service.prints(/health\/ready/);
    return {
      service,
      ready,
      organizations: new Client(`http://127.0.0.1:${PORT}/api/admin/organizations`, SECRETS.ADMIN_TOKEN),
    };
  };
  const namesAt = async (DATA_DIR: string) => {
    const node = await spawn(DATA_DIR);
    await node.ready();
    const { body } = await node.organizations.get('').expect(200);
    await node.service.kill('SIGTERM');
    return body.organizations.map(({ name }: { name: string }) => name);
  };

  it("the start with a copy is refused while the original's PostgreSQL runs, and never serves the original's chats", async () => {
    const [original, copy, moved] = [path(), path(), path()];
    const first = await spawn(original);
    await first.ready();
    await first.organizations.post('', { name: 'Original' }).expect(201);
    await first.service.kill('SIGKILL');
    cpSync(original, copy, { recursive: true, preserveTimestamps: true });

    const { service } = await spawn(copy);
    expect((await service.ended()).code).toBe(1);
    const [pid] = readFileSync(join(original, 'postgres/postmaster.pid'), 'utf8').split('\n');
    expect(service.output).toBe(
      `Parley cannot start: DATA_DIR ${copy} is a copy of ${original}, made while its PostgreSQL (process ${pid}) ran; stop the ` +
        `Parley there and copy it again, or, if this is a snapshot of one moment, remove ${copy}/postgres/postmaster.pid\n`,
    );
    const { stdout } = await new Cli({ ...SECRETS, DATA_DIR: copy, PARLEY_URL: 'http://127.0.0.1:1' }).run('doctor');
    expect(stdout).toContain(`no embedded PostgreSQL is running under ${copy}`);

    // The original is found by another path too.
    renameSync(original, moved);
    const link = path();
    symlinkSync(moved, link);
    expect((await (await spawn(copy)).service.ended()).code).toBe(1);
    expect(await namesAt(link)).toEqual(['Original']);
    // Now its PostgreSQL has stopped.
    expect(await namesAt(copy)).toEqual(['Original']);
  });
});
