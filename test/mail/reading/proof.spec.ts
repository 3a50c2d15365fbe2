import { describe, expect, it } from '@jest/globals';
import { hasProof } from '../../../src/mail/reading/proof.js';
import { mailWith, openReader } from './support/read.js';

const read = openReader();
const ID = 'mx.acme.example';
const GMAIL =
  'mx.google.com; dkim=pass header.i=@example.com header.s=20230601 header.b="Ab/c="; spf=pass (google.com: domain of ada@example.com designates 192.0.2.1 as permitted sender) smtp.mailfrom=ada@example.com; dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=example.com';
const MICROSOFT =
  'spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.com; dkim=pass (signature was verified) header.d=example.com;dmarc=pass action=none header.from=example.com;compauth=pass reason=100';

const proves = (authentication: string | null, id = ID) => hasProof({ from: 'ada@example.com', authentication }, id);

describe('proof of the sender', () => {
  it.each<[string, string]>([
    ['DMARC', `${ID}; dmarc=pass header.from=example.com`],
    ['a version', `${ID} 1; dmarc=pass header.from=example.com`],
    ['another case', 'MX.Acme.Example; DMARC=Pass Header.From=Example.COM'],
    ['a quoted id and value', `"${ID}"; dmarc=pass header.from="example.com"`],
    ['a version of the method and blanks', `${ID} ; dmarc/1 = pass header.from = example.com`],
    ['comments', `(by us) ${ID} (v(1)); dmarc=pass (p=none \\) ;) header.from=example.com (x)`],
    ['folded lines', `${ID};\t\tspf=none; \tdmarc=pass\t header.from=example.com`],
    ['the signature of the domain', `${ID}; dkim=pass header.d=example.com`],
    ['the identity of a signature', `${ID}; dkim=pass header.i=@example.com header.b=abc=`],
    ['the second of two signatures', `${ID}; dkim=fail header.d=example.com; dkim=pass header.d=example.com`],
    ['an identity below the signer', `${ID}; dkim=pass header.d=example.com header.i=bot@mail.example.com`],
    ['a reason', `${ID}; dkim=pass reason="1024-bit; key" header.d=example.com`],
    ['no policy', `${ID}; dmarc=none header.from=example.com; dkim=pass header.d=example.com`],
  ])('a field with %s is proof', (_name, field) => {
    expect(proves(field)).toBe(true);
  });

  it.each<[string, string]>([
    ['the id of another server', 'mx.evil.example; dmarc=pass header.from=example.com'],
    ['an id that begins like ours', `${ID}.evil.example; dmarc=pass header.from=example.com`],
    ['our id in a comment', `mx.evil.example (${ID}); dmarc=pass header.from=example.com`],
    ['no id', 'dmarc=pass header.from=example.com'],
    ['two words before the results', `${ID} evil; dmarc=pass header.from=example.com`],
    ['DMARC of another domain', `${ID}; dmarc=pass header.from=evil.example`],
    ['DMARC of two domains', `${ID}; dmarc=pass header.from=evil.example header.from=example.com`],
    ['DMARC without a domain', `${ID}; dmarc=pass`],
    ['DMARC that failed', `${ID}; dmarc=fail header.from=example.com`],
    [
      'DMARC that failed beside another',
      `${ID}; dmarc=fail header.from=example.com; dmarc=pass header.from=example.com`,
    ],
    [
      'DMARC that failed beside a signature',
      `${ID}; dmarc=fail header.from=example.com; dkim=pass header.d=example.com`,
    ],
    ['DMARC in a comment', `${ID}; spf=pass (dmarc=pass header.from=example.com)`],
    ['DMARC in quotes', `${ID}; spf=pass smtp.mailfrom="; dmarc=pass header.from=example.com; "@evil.example`],
    ['DMARC behind escaped quotes', `${ID}; spf=pass reason="\\"; dmarc=pass header.from=example.com; \\""`],
    ['a comment without end', `${ID}; spf=pass (; dmarc=pass header.from=example.com`],
    ['a comment that ends twice', `${ID}; spf=pass (a)); dmarc=pass header.from=example.com`],
    ['a quote without end', `${ID}; dmarc=pass header.from=example.com reason="`],
    ['SPF alone', `${ID}; spf=pass smtp.mailfrom=example.com`],
    ['no result', `${ID}; none`],
    ['the signature of another domain', `${ID}; dkim=pass header.d=evil.example`],
    ['the signature of a domain below', `${ID}; dkim=pass header.d=mail.example.com`],
    ['the signature of a domain that ends alike', `${ID}; dkim=pass header.d=ample.com`],
    ['the signature of a top-level domain', `${ID}; dkim=pass header.d=com`],
    ['a broken signature', `${ID}; dkim=neutral header.d=example.com`],
    ['an aligned identity of another signer', `${ID}; dkim=pass header.d=evil.example header.i=@example.com`],
    ['20 kB', `${ID}; dmarc=pass header.from=example.com${' '.repeat(20_000)}`],
  ])('a field with %s is no proof', (_name, field) => {
    expect(proves(field)).toBe(false);
  });

  it.each<[string, string, boolean]>([
    ['mail.acme.example', 'acme.example', true],
    ['a.b.acme.example', 'acme.example', true],
    ['mail.acme.co.uk', 'acme.co.uk', true],
    ['acme.co.uk', 'co.uk', false],
    ['acme.com.br', 'com.br', false],
    ['one.acme.example', 'two.acme.example', false],
    ['bücher.example', 'xn--bcher-kva.example', true],
  ])('From at %s with the signature of %s', async (domain, signer, isProof) => {
    const mail = await read(
      mailWith([`Authentication-Results: ${ID}; dkim=pass header.d=${signer}`, `From: ada@${domain}`]),
    );
    expect(hasProof(mail, ID)).toBe(isProof);
  });

  it('Gmail and Microsoft write fields that are proof', () => {
    expect(proves(GMAIL, 'mx.google.com')).toBe(true);
    expect(proves(MICROSOFT, 'Microsoft')).toBe(true);
  });

  it.each([
    `mx.evil.example; ${MICROSOFT}`,
    MICROSOFT.replaceAll('=pass', '=fail'),
    'spf=pass smtp.mailfrom=example.com; dmarc=bestguesspass action=none header.from=example.com',
  ])('a field of Microsoft with %s is no proof', (field) => {
    expect(proves(field, 'microsoft')).toBe(false);
  });

  it.each([undefined, '', ' '])('without an id (%j), nothing is proof', (id) => {
    for (const authentication of [`${ID}; dmarc=pass header.from=example.com`, MICROSOFT])
      expect(hasProof({ from: 'ada@example.com', authentication }, id)).toBe(false);
  });

  it.each([
    ['a second From', ['From: ada@example.com', 'From: eve@example.com']],
    ['two addresses', ['From: ada@example.com, eve@evil.example']],
    ['a group', ['From: a: ada@example.com;']],
    ['another address in the name', ['From: "ada@example.com" <eve@evil.example>']],
  ])('a mail with %s has no proof', async (_name, headers) => {
    const field = `Authentication-Results: ${ID}; dmarc=pass header.from=example.com`;
    expect(hasProof(await read(mailWith([field, ...headers])), ID)).toBe(false);
  });

  it('only the topmost field counts', async () => {
    const ours = `Authentication-Results: ${ID}; dmarc=pass header.from=example.com`;
    const other = 'Authentication-Results: relay.example; spf=none';
    expect(hasProof(await read(mailWith([ours, other, 'From: ada@example.com'])), ID)).toBe(true);
    expect(hasProof(await read(mailWith([other, ours, 'From: ada@example.com'])), ID)).toBe(false);
  });

  it('a missing field is no proof', () => {
    expect(proves(null)).toBe(false);
  });
});
