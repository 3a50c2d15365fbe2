import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { inRepository } from '../../support/example.js';

const run = promisify(execFile);
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

/** Builds a folder with `vite build`, in a process of its own. Returns the built files by their names. */
export async function buildWithVite(folder: string): Promise<Record<string, string>> {
  const cli = inRepository('node_modules/vite/bin/vite.js');
  await run(process.execPath, [cli, 'build', '--logLevel', 'error'], { cwd: folder });
  const dist = join(folder, 'dist');
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) in TYPES);
  return Object.fromEntries(names.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(dist, name), 'utf8')]));
}

/** Serves built files on an origin of their own. */
export async function serveFiles(files: Record<string, string>): Promise<{ url: string; stop: () => void }> {
  const server = createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : request.url!.slice(1);
    if (files[name] === undefined) return void response.writeHead(404).end();
    response.setHeader('Content-Type', `${TYPES[extname(name)]}; charset=utf-8`).end(files[name]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
