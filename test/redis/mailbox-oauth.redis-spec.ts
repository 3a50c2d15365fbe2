import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { checkImap } from '../../src/cli/doctor/mail/imap.js';
import { MailTokens } from '../../src/mail/oauth/mail-tokens.service.js';
import { OAuthServer } from '../mail/support/oauth-server.js';
import { Cli } from '../support/cli.js';
import { until } from '../support/eventually.js';
import type { Parley } from '../support/parley.js';
import { Dovecot } from './support/dovecot.js';
import { mail, MailRecorder } from './support/mail-recorder.js';
import { environmentOf, isConnected, startReader } from './support/readers.js';

let oauth: OAuthServer;
let dovecot: Dovecot;
let recorder: MailRecorder;
let node: Parley;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  recorder = new MailRecorder();
  oauth = await OAuthServer.start();
  dovecot = await Dovecot.start({ introspection: `${oauth.url}/introspect` });
  const url = `imap://${encodeURIComponent(dovecot.user)}@127.0.0.1:${dovecot.port}`;
  environment = { ...environmentOf({ url }), ...oauth.environment, SECRET_KEY: 'a-secret-key-of-this-test' };
  node = await startReader({ url }, undefined, environment);
  environment.DATABASE_URL = node.databaseUrl;
});
afterAll(async () => {
  await node.stop();
  await dovecot.close();
  await oauth.close();
  jest.restoreAllMocks();
});

it('the mailbox is read once the client has a token', async () => {
  expect(await isConnected(node)).toBe(false);
  expect(await checkImap(environment)).toMatchObject({
    status: 'warning',
    detail: 'the mail servers are not authorized',
    advice: 'run npx parley mail authorize',
  });
  await new Cli(environment).say('mail', 'authorize', '--app');
  await until('it is connected', () => isConnected(node));
  await dovecot.deliver(mail('by a token'));
  await recorder.arrived('by a token');
  expect(await checkImap(environment)).toMatchObject({ status: 'ok' });
});

it('a token that the server refuses is renewed', async () => {
  oauth.endTokens();
  await dovecot.kill();
  await until('it is disconnected', async () => !(await isConnected(node)));
  await dovecot.restart();
  await until('it is connected', () => isConnected(node));
  expect(oauth.valid).toContain(await node.app.get(MailTokens).get());
  await dovecot.deliver(mail('by a new token'));
  await recorder.arrived('by a new token');
});
