// Runs the Worker in the file $WORKER in workerd, at 127.0.0.1:$PORT, with the modules of the SDK in the folder $SDK.
import { Miniflare } from 'miniflare';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { WORKER, SDK, PORT, ...rest } = process.env;
const toModule = (path, contents) => ({ type: 'ESModule', path, contents });
const files = readdirSync(SDK, { recursive: true }).filter((name) => name.endsWith('.js'));

const worker = new Miniflare({
  modules: [
    toModule('worker.mjs', readFileSync(WORKER, 'utf8')),
    toModule('parley-bot', "export * from './sdk/index.js';"),
    ...files.map((path) => toModule(`sdk/${path}`, readFileSync(join(SDK, path), 'utf8'))),
  ],
  // Without a flag, as a new Worker has it.
  compatibilityDate: '2026-01-01',
  bindings: Object.fromEntries(['PARLEY_URL', 'PARLEY_TOKEN', 'WEBHOOK_SECRET'].map((name) => [name, rest[name]])),
  host: '127.0.0.1',
  port: Number(PORT),
});
process.once('SIGTERM', () => worker.dispose().then(() => process.exit(0)));
await worker.ready;
console.log('ready');
