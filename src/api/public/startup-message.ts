import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { type Config, DRILL_DETAIL } from '../../platform/config/config.js';
import { localUrl } from '../../platform/config/local-address.js';
import { BUILD, nameOf } from '../../platform/telemetry/build.js';
import { type Demo, DemoService } from './demo/demo.service.js';
import { withoutTrailingSlashes } from '../../platform/lib/web-url.js';

const NO_PUBLIC_URL = 'no e-mail is sent: SMTP_URL is set, and PUBLIC_URL, the address of the links in e-mails, is not';

/** Announces that the service listens: a log line in production; otherwise also the addresses and a working `curl` line. */
export async function printStartup(app: NestExpressApplication, config: Config): Promise<void> {
  const url = withoutTrailingSlashes(config.PUBLIC_URL ?? localUrl(config.HOST, portOf(app)));
  const logger = new Logger('Parley');
  logger.log(`listening on ${url}: Parley ${nameOf(BUILD)}`);
  if (config.DRILL) logger.warn(DRILL_DETAIL);
  if (config.SMTP_URL !== undefined && config.PUBLIC_URL === undefined) logger.warn(NO_PUBLIC_URL);
  const demos = app.get(DemoService);
  const demo = await demos.prepare();
  if (config.isProduction) return;
  const lines = demo ? demoLines(url, demo, await demos.makeLink(demo, url)) : plainLines(url, config);
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

function portOf(app: NestExpressApplication): number {
  return ((app.getHttpServer() as Server).address() as AddressInfo).port;
}

function demoLines(url: string, { token, chatId, key }: Demo, link: string | null): string[] {
  const body = JSON.stringify({ chatId, content: 'Hello from the bot!' });
  return [
    `  Demo chat    ${url}/demo#key=${key}`,
    ...(link ? [`  Sign in      ${link}`] : []),
    `  Docs         ${url}/docs/`,
    '',
    '  Open the demo chat, then let the bot say something:',
    '',
    `curl -X POST ${url}/api/bot/messages -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${body}'`,
    '',
    '  Or run your own bot, in any folder, after this line:',
    '',
    `export PARLEY_URL=${url} PARLEY_TOKEN=${token}`,
  ];
}

function plainLines(url: string, config: Config): string[] {
  return [
    `  Docs         ${url}/docs/`,
    `  Admin token  ADMIN_TOKEN if set, otherwise in ${join(config.DATA_DIR, 'secrets.json')}`,
    '',
    `curl ${url}/health/ready`,
  ];
}
