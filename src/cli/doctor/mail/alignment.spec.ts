import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { checkAlignment } from './alignment.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const OWN = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const MAIL = { SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'Acme <Support@Example.com>' };
const SIGNED = {
  ...MAIL,
  MAIL_DKIM_DOMAIN: 'example.com',
  MAIL_DKIM_SELECTOR: 'one',
  MAIL_DKIM_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const DMARC = { '_dmarc.example.com': 'v=DMARC1; p=reject' };
const SPF = { 'example.com': 'v=spf1 include:spf.example.net -all' };
const DKIM = { 'one._domainkey.example.com': `v=DKIM1; k=rsa; p=${OWN}` };

const check = (environment: NodeJS.ProcessEnv, records: Record<string, string> = {}) =>
  checkAlignment(environment, async (name) => [records[name] ?? []].flat());

describe('the alignment of mails', () => {
  it.each([
    ['SPF of the same domain', MAIL, { ...DMARC, ...SPF }, 'SPF: example.com has a record, aligned'],
    ['DKIM with our key', SIGNED, { ...DMARC, ...DKIM }, 'DKIM: one._domainkey.example.com has our key, aligned'],
    [
      'an envelope sender below the domain',
      { ...MAIL, MAIL_SENDER: 'x@bounce.example.com' },
      { ...DMARC, 'bounce.example.com': 'v=spf1 -all' },
      'SPF: bounce.example.com has a record, aligned',
    ],
  ])('mails are aligned by %s', async (_name, environment, records, detail) => {
    const found = await check(environment, records);
    expect(found).toMatchObject({ name: 'DKIM and DMARC', status: 'ok' });
    expect(found!.detail).toContain(detail);
    expect(found!.detail).toContain('example.com asks for reject');
  });

  it.each([
    ['no records', MAIL, {}, 'example.com has no DMARC record; SPF: example.com has no record', 'MAIL_DKIM_DOMAIN'],
    [
      'another domain that sends',
      { ...MAIL, MAIL_SENDER: 'x@mailer.example.net' },
      { ...DMARC, ...SPF, 'mailer.example.net': 'v=spf1 -all' },
      'SPF: mailer.example.net has a record, not aligned with example.com',
      'let the mail server sign for example.com',
    ],
    [
      'another published key',
      SIGNED,
      { ...DMARC, 'one._domainkey.example.com': 'v=DKIM1; p=MIIB' },
      'one._domainkey.example.com has another key than MAIL_DKIM_KEY',
      "publish MAIL_DKIM_KEY's public key",
    ],
    [
      'a strict policy and a sender below',
      { ...MAIL, MAIL_SENDER: 'x@bounce.example.com' },
      { '_dmarc.example.com': 'v=DMARC1; p=reject; aspf=s', 'bounce.example.com': 'v=spf1 -all' },
      'not aligned with example.com',
      'sign for example.com',
    ],
  ])('doctor warns of %s', async (_name, environment, records, detail, advice) => {
    const found = await check(environment, records);
    expect(found).toMatchObject({ status: 'warning' });
    expect(found!.detail).toContain(detail);
    expect(found!.advice).toContain(advice);
  });

  it('a DNS that does not answer is named, and no failure', async () => {
    const found = await checkAlignment(MAIL, () => Promise.reject(new Error('the DNS has no answer for example.com')));
    expect(found).toMatchObject({ status: 'warning', detail: 'the DNS has no answer for example.com' });
  });

  it('nothing is asked without mail, nor for an address of this machine', async () => {
    expect(await check({})).toBeNull();
    expect(await check({ ...MAIL, MAIL_FROM: 'root@localhost' })).toBeNull();
  });
});
