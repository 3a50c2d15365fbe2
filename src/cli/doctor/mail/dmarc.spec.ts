import { describe, expect, it } from '@jest/globals';
import { Dmarc } from './dmarc.js';

const LONG = 'a.b.c.d.e.f.g.h.i.j.mail.example.com';

function having(records: Record<string, string | string[]>) {
  const asked: string[] = [];
  const lookup = async (name: string) => {
    asked.push(name);
    return [records[name] ?? []].flat();
  };
  return { dmarc: new Dmarc(lookup), asked };
}

describe('the policy of a domain', () => {
  it.each([
    ['its own record', { '_dmarc.example.com': 'v=DMARC1; p=reject; aspf=s' }, 'example.com', 'reject'],
    [
      "the organization's, for domains below",
      { '_dmarc.example.com': 'v=DMARC1;p=reject;sp=quarantine' },
      'a.example.com',
      'quarantine',
    ],
    [
      "the organization's without sp",
      { '_dmarc.example.com': ' v=DMARC1 ;p=reject'.trim() },
      'a.b.example.com',
      'reject',
    ],
    ['one level lower in a test', { '_dmarc.example.com': 'v=DMARC1; p=reject; t=y' }, 'example.com', 'quarantine'],
    ['no lower than none', { '_dmarc.example.com': 'v=DMARC1; p=none; t=y' }, 'example.com', 'none'],
    ['pct is ignored', { '_dmarc.example.com': 'v=DMARC1; p=reject; pct=0' }, 'example.com', 'reject'],
    ['an unknown policy is none', { '_dmarc.example.com': 'v=DMARC1; p=block' }, 'example.com', 'none'],
  ])('%s', async (_name, records, domain, policy) => {
    expect(await having(records).dmarc.findPolicy(domain)).toMatchObject({ domain: 'example.com', policy });
  });

  it.each([
    ['without a record', {}],
    ['with two records', { '_dmarc.example.com': ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] }],
    ['of another version', { '_dmarc.example.com': 'v=DMARC2; p=reject' }],
    ['of another kind', { '_dmarc.example.com': 'v=spf1 -all' }],
  ])('there is none %s', async (_name, records) => {
    expect(await having(records).dmarc.findPolicy('example.com')).toBeNull();
  });
});

describe('alignment', () => {
  const COM = { '_dmarc.example.com': 'v=DMARC1; p=reject' };

  it.each([
    ['the same domain', {}, 'example.com', 'example.com', true],
    ['a domain below', COM, 'bounce.example.com', 'example.com', true],
    ['two below the same one', COM, 'bounce.example.com', 'mail.example.com', true],
    ['others without records', {}, 'bounce.example.com', 'example.com', false],
    ['another organization', { ...COM, '_dmarc.other.com': 'v=DMARC1; p=none' }, 'other.com', 'example.com', false],
    [
      'two below a public suffix',
      { '_dmarc.co.example': 'v=DMARC1; p=reject; psd=y' },
      'one.co.example',
      'two.co.example',
      false,
    ],
    [
      'one below a public suffix',
      { '_dmarc.co.example': 'v=DMARC1; p=reject; psd=y' },
      'bounce.one.co.example',
      'one.co.example',
      true,
    ],
    [
      'a domain that is an organization of its own',
      { ...COM, '_dmarc.own.example.com': 'v=DMARC1; p=none; psd=n' },
      'own.example.com',
      'example.com',
      false,
    ],
  ])('%s', async (_name, records, passed, from, aligned) => {
    expect(await having(records).dmarc.isAligned(passed, from, false)).toBe(aligned);
  });

  it('strict: only the same domain', async () => {
    const { dmarc } = having(COM);
    expect(await dmarc.isAligned('bounce.example.com', 'example.com', true)).toBe(false);
    expect(await dmarc.isAligned('example.com', 'example.com', true)).toBe(true);
  });

  it('a long name costs at most 8 queries, and each name is asked once', async () => {
    const { dmarc, asked } = having({});
    await dmarc.isAligned(LONG, 'example.com', false);
    await dmarc.findPolicy(LONG);
    expect(asked).toContain(`_dmarc.${LONG}`);
    expect(asked).toContain('_dmarc.h.i.j.mail.example.com');
    expect(asked.length).toBe(new Set(asked).size);
    expect(asked.filter((name) => LONG.endsWith(name.slice('_dmarc.'.length))).length).toBe(8);
  });
});
