import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './eventually.js';
import { inRepository } from './example.js';
import type { PathHandling } from './path-proxy.js';

const PAGE = inRepository('docs/operate/path.md');
const NGINX = '/usr/sbin/nginx';
const CADDY = '/usr/bin/caddy';
const COMMENTS: Record<PathHandling, string> = { keeps: '# Passes the path on.', removes: '# Removes the path.' };

/** A proxy in a process of its own. */
export interface InstalledProxy {
  url: string;
  stop(): Promise<void>;
}

type Start = (parley: string, handling: PathHandling, port: string) => Promise<InstalledProxy>;

/** The proxies of docs/operate/path.md that this machine has, each configured as the page says. */
export const INSTALLED_PROXIES: [name: string, start: Start][] = [
  ...(existsSync(NGINX) ? [['nginx', startNginx] satisfies [string, Start]] : []),
  ...(existsSync(CADDY) ? [['caddy', startCaddy] satisfies [string, Start]] : []),
];

function startNginx(parley: string, handling: PathHandling, port: string): Promise<InstalledProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-nginx-'));
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`);
  const configuration = `
daemon off;
pid ${folder}/pid;
error_log stderr;
events {}
http {
  access_log off;
  ${folders.join('\n  ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server {
    listen 127.0.0.1:${port};
    ${sampleOf('nginx', 'location ~*')}
    ${sampleOf('nginx', COMMENTS[handling]).replaceAll('http://127.0.0.1:3000', parley)}
  }
}`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration);
  return run(spawn(NGINX, ['-e', 'stderr', '-c', file]), { folder, port });
}

function startCaddy(parley: string, handling: PathHandling, port: string): Promise<InstalledProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-caddy-'));
  const site = sampleOf('caddy', COMMENTS[handling])
    .replace('shop.example', `http://127.0.0.1:${port}`)
    .replace('reverse_proxy', () => `${sampleOf('caddy', '@private')}    reverse_proxy`)
    .replaceAll('127.0.0.1:3000', new URL(parley).host);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n  admin off\n  auto_https off\n}\n${site}`);
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return run(spawn(CADDY, ['run', '--adapter', 'caddyfile', '--config', file], { env }), { folder, port });
}

/** The block of the page in a language, by a part of it. */
function sampleOf(language: string, has: string): string {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms)];
  const found = blocks.find(([, of, text]) => of === language && text!.includes(has));
  if (!found) throw new Error(`${PAGE} has no ${language} with ${has}`);
  return found[2]!;
}

async function run(child: ChildProcess, { folder, port }: Record<'folder' | 'port', string>): Promise<InstalledProxy> {
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/chat/health/live`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await until('the proxy answers', async () => {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${said}`);
    return answers();
  });
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  return { url, stop };
}
