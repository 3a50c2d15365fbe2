import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { foldText } from '../../src/platform/locale/fold.js';
import { createDatabase, queryOnce, type TestDatabase } from '../support/database.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

/** Each in its own database. `upper` and `lower` do something else in each of them. */
const LOCALES = [
  ['C', `LOCALE 'C'`],
  ['C.UTF-8 of the operating system', `LOCALE 'C.UTF-8'`],
  ['ICU without a language', `LOCALE_PROVIDER icu ICU_LOCALE 'und' LOCALE 'C'`],
  ['ICU with Turkish', `LOCALE_PROVIDER icu ICU_LOCALE 'tr' LOCALE 'C'`],
  ['ICU that sorts capitals first', `LOCALE_PROVIDER icu ICU_LOCALE 'en-u-kf-upper-kn' LOCALE 'C'`],
] as const;

/** Without the scripts that have no case, and tens of thousands of letters. */
const LETTERS = Array.from({ length: 0x20_000 }, (_, code) => String.fromCodePoint(code)).filter(
  (letter) => /[\p{L}\p{M}\p{N}\p{S}]/u.test(letter) && !/[\p{Script=Han}\p{Script=Hangul}]/u.test(letter),
);

const VISITORS = {
  elodie: { name: 'ÉLODIE MÜLLER', email: 'ÉLODIE@EXEMPLE.FR' },
  ivan: { name: 'ИВАН ПЕТРОВ', email: 'Ivan@Example.com' },
  decomposed: { name: 'Zoe\u0301 E\u0301mile', email: 'Zoe\u0301@example.com' },
  strauss: { name: 'Jörg Strauß', email: 'jörg@straße.example' },
  odysseus: { name: 'ΟΔΥΣΣΕΥΣ', email: 'οδυσσευς@example.com' },
  isik: { name: 'ILGIN IŞIK', email: 'ILGIN@EXAMPLE.COM' },
  istanbul: { name: 'İpek', email: 'İpek@example.com' },
} as const;
type VisitorName = keyof typeof VISITORS;

const SEARCHES: [text: string, found: VisitorName[]][] = [
  ['élodie', ['elodie']],
  ['Müller', ['elodie']],
  ['müller', ['elodie']],
  ['E\u0301LO', ['elodie']],
  ['elodie', []],
  ['иван', ['ivan']],
  ['ПЕТ', ['ivan']],
  ['IVAN@', ['ivan']],
  ['zoé', ['decomposed']],
  ['émile', ['decomposed']],
  ['STRAUSS', ['strauss']],
  ['strauß', ['strauss']],
  ['JÖRG@STRASSE', ['strauss']],
  ['οδυσσευς', ['odysseus']],
  ['οδυσσ', ['odysseus']],
  ['ilgin', ['isik']],
  ['ılgın', ['isik']],
  ['ışık', ['isik']],
  ['ISIK', []],
  ['ipek', ['istanbul']],
  ['IPEK@example.COM', ['istanbul']],
  // Sorted by the text that matched, code point by code point.
  ['i', ['isik', 'istanbul', 'ivan']],
];

const EMAILS: [email: string, found: VisitorName[]][] = [
  ['élodie@exemple.fr', ['elodie']],
  ['E\u0301lodie@exemple.fr', ['elodie']],
  ['elodie@exemple.fr', []],
  ['IVAN@EXAMPLE.COM', ['ivan']],
  ['zo\u00E9@example.com', ['decomposed']],
  ['Jörg@STRASSE.example', ['strauss']],
  ['ΟΔΥΣΣΕΥΣ@EXAMPLE.COM', ['odysseus']],
  ['ilgin@example.com', ['isik']],
  ['ipek@example.com', ['istanbul']],
];

describe.each(LOCALES)('on a database with the locale %s', (_, locale) => {
  let database: TestDatabase;
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let names: Map<string, VisitorName>;

  beforeAll(async () => {
    database = await createDatabase({ locale });
    parley = await Parley.start({}, database.url);
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const made = Object.entries(VISITORS).map(async ([name, visitor]) => {
      const { body } = await tenant.admin.post('/chats', { visitor }).expect(201);
      return [body.visitor.id, name] as [string, VisitorName];
    });
    names = new Map(await Promise.all(made));
  });
  afterAll(async () => {
    await parley.stop();
    await database.drop();
  });

  const visitorsOf = async (query: Record<string, string>): Promise<(VisitorName | undefined)[]> => {
    const { body } = await tenant.admin.get(`/visitors?${String(new URLSearchParams(query))}`).expect(200);
    return body.visitors.map(({ id }: { id: string }) => names.get(id));
  };

  it('visitors, and the chats of visitors, are found by the same texts', async () => {
    for (const [search, found] of SEARCHES) {
      expect([search, await visitorsOf({ search })]).toEqual([search, found]);
      const { body } = await ada.client.get(`/chats/search?${String(new URLSearchParams({ search }))}`).expect(200);
      const of = body.chats.map(({ visitor }: { visitor: { id: string } }) => names.get(visitor.id));
      expect([search, of]).toEqual([search, found]);
    }
  });

  it('visitors have the same addresses', async () => {
    for (const [email, found] of EMAILS) expect([email, await visitorsOf({ email })]).toEqual([email, found]);
  });

  it('a signed identity changes by what its visitor is found', async () => {
    const sign = async (name: string, email: string) => {
      const identity = await signIdentity(tenant, { sub: 'crm-1', name, email });
      return (await parley.beginSession(tenant, { identity }).expect(201)).body.visitor.id as string;
    };
    const id = await sign('Ünal ÇELİK', 'ÜNAL@example.com');
    const find = async (query: string) =>
      (await tenant.admin.get(`/visitors?${query}`).expect(200)).body.visitors.map((one: { id: string }) => one.id);
    expect(await find('search=çelik')).toEqual([id]);
    await sign('Ünal ŞAHİN', 'ŞAHİN@example.com');
    expect(await find('search=çelik')).toEqual([]);
    expect(await find('search=şahin')).toEqual([id]);
    expect(await find('email=şahin@example.com')).toEqual([id]);
    await tenant.admin.delete(`/visitors/${id}`).expect(204);
    expect(await find('email=şahin@example.com')).toEqual([]);
  });

  it('agents sign in with their address in any case and form, and have it alone', async () => {
    const password = 'correct horse battery staple';
    const email = 'İrem.Groß\u00E9@example.com';
    await parley.signInAgent(tenant, { email, password });
    for (const same of [email, 'irem.grosse\u0301@example.com', 'IREM.GROSSÉ@EXAMPLE.COM']) {
      await parley.agent().post('/session', { email: same, password, mode: 'token' }).expect(201);
      const { body } = await tenant.admin.post('/agents', { name: 'Other', email: same }).expect(409);
      expect(body.code).toBe('conflict');
    }
    await parley.agent().post('/session', { email: 'irem.grosse@example.com', password, mode: 'token' }).expect(401);
  });

  it('groups are listed in the order of their code points', async () => {
    const other = await parley.createTenant();
    for (const name of ['éa', 'Zb', 'a10', 'a9', 'Ia', 'ıa', 'ia'])
      await other.admin.post('/groups', { name }).expect(201);
    const listed = (await other.bot.get('/groups').expect(200)).body.map(({ name }: { name: string }) => name);
    expect(listed).toEqual(['General', 'Ia', 'Zb', 'a10', 'a9', 'ia', 'éa', 'ıa']);
  });

  it('the database folds every letter as the service does', async () => {
    const texts = LETTERS.map((letter) => `${letter}i\u0307`);
    const sql = 'SELECT fold_text(text) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS t (text, at) ORDER BY at';
    const rows = await queryOnce<{ folded: string }>(database.url, sql, [texts]);
    expect(rows.map(({ folded }) => folded)).toEqual(texts.map(foldText));
  });
});
