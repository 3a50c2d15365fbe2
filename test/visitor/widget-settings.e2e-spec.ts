import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Parley, type Tenant } from '../support/parley.js';
import { StatementRecorder } from '../support/statements.js';

const PLAIN = {
  name: null,
  greeting: null,
  greetingAfterSeconds: null,
  greetingPaths: [],
  proactiveMessages: [],
  color: null,
  colorText: null,
  theme: null,
  position: null,
  launcherIcon: null,
  locale: null,
  sound: true,
  privacyUrl: null,
  consent: null,
  askName: null,
  askEmail: null,
  formFields: [],
  officeHours: null,
  questions: [],
  translations: {},
  rating: false,
  messageRating: false,
  personAfter: null,
  pageContext: false,
  cookieDomain: null,
  aiDisclosure: null,
};

const CHOSEN = {
  name: 'Acme help',
  greeting: 'Hello!\nHow can we help? 🚀',
  greetingAfterSeconds: 0,
  greetingPaths: ['/shop/', '/é'],
  proactiveMessages: [
    {
      id: 'cart',
      text: 'Can we help?',
      paths: ['/cart'],
      excludedPaths: ['/cart/done'],
      afterSeconds: 30,
      visitor: 'new',
    },
    { id: '2', text: 'Still here?', minPages: 3, afterScrollPercent: 50, visitor: 'returning' },
  ],
  color: 'oklch(62% 0.2 260)',
  colorText: '#FFF',
  theme: 'dark',
  position: 'left',
  launcherIcon: 'headset',
  locale: 'pt-BR',
  sound: false,
  privacyUrl: 'https://acme.example/privacy?a=b#c',
  consent: 'We keep what you write.',
  askName: 'optional',
  askEmail: 'required',
  formFields: [
    { key: 'order', label: 'Order number', type: 'text', isRequired: true, placeholder: 'A-1' },
    { key: 'topic', label: 'Topic', type: 'select', options: ['late', 'broken'], optionLabels: { late: 'It is late' } },
  ],
  officeHours: 'Mon to Fri, 9 to 17',
  questions: ['Where is my order?', 'q'.repeat(80)],
  translations: {
    de: { greeting: 'Hallo', questions: ['Wo ist es?'], proactiveMessages: { cart: 'Fragen?' } },
    'pt-BR': { consent: 'Sim' },
  },
  rating: true,
  messageRating: true,
  personAfter: 3,
  pageContext: true,
  cookieDomain: 'acme.example',
  aiDisclosure: { text: 'A machine answers.' },
};

/** A field of the form before a chat. */
const FIELD = { key: 'a', label: 'A', type: 'text' };
const HELP = { id: 'help', text: 'Can we help?' };
/** Lists of proactive messages that are refused, and where. */
const WRONG_MESSAGES = [
  [{}, ''],
  [Array.from({ length: 11 }, (_, at) => ({ ...HELP, id: `${at}` })), ''],
  [Array.from({ length: 8 }, (_, at) => ({ id: `${at}`, text: '€'.repeat(1_000) })), ''],
  [['Can we help?'], '/0'],
  [[{ text: 'Can we help?' }], '/0/id'],
  [[{ ...HELP, id: '' }], '/0/id'],
  [[{ ...HELP, id: 'Cart' }], '/0/id'],
  [[{ ...HELP, id: '__proto__' }], '/0/id'],
  [[{ ...HELP, id: 'x'.repeat(51) }], '/0/id'],
  [[HELP, HELP], '/1/id'],
  [[{ id: 'help' }], '/0/text'],
  [[{ ...HELP, text: ' ' }], '/0/text'],
  [[{ ...HELP, text: 'x'.repeat(1_001) }], '/0/text'],
  [[{ ...HELP, title: 'x' }], '/0'],
  [[{ ...HELP, paths: 'cart' }], '/0/paths'],
  [[{ ...HELP, paths: ['/', 'cart'] }], '/0/paths/1'],
  [[{ ...HELP, excludedPaths: [7] }], '/0/excludedPaths/0'],
  [[{ ...HELP, afterSeconds: 3_601 }], '/0/afterSeconds'],
  [[{ ...HELP, afterSeconds: null }], '/0/afterSeconds'],
  [[{ ...HELP, minPages: 0 }], '/0/minPages'],
  [[{ ...HELP, minPages: 101 }], '/0/minPages'],
  [[{ ...HELP, afterScrollPercent: 100.5 }], '/0/afterScrollPercent'],
  [[HELP, { id: 'new', text: 'Hello', visitor: 'NEW' }], '/1/visitor'],
] as const;

/** What pages read of an AI unless the organization says something else. */
const OWN = { text: 'You are chatting with an AI, not with a person.' };

/** What pages read beside the settings. */
const WITHOUT_MORE = {
  hours: null,
  captcha: null,
  launcherPicture: null,
  botPicture: null,
  canMail: false,
  canSendTranscript: false,
  visitorUploads: null,
};

describe('widget settings', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant({ name: 'Acme' });
  });

  const change = (body: object) => tenant.admin.patch('/widget', body);
  const ask = (key = tenant.widgetKey) => request(parley.url).get('/api/visitor/widget').query({ key });

  describe('for administrators', () => {
    it('the settings have defaults, and are returned as they were set', async () => {
      expect((await tenant.admin.get('/widget').expect(200)).body).toEqual(PLAIN);
      expect((await change(CHOSEN).expect(200)).body).toEqual(CHOSEN);
      expect((await tenant.admin.get('/widget').expect(200)).body).toEqual(CHOSEN);
    });

    it('settings are changed one by one, even at the same time, and null resets one', async () => {
      await Promise.all([
        change({ greeting: 'Hello' }).expect(200),
        change({ position: 'left' }).expect(200),
        change({ sound: false, questions: ['Why?'] }).expect(200),
      ]);
      const made = { ...PLAIN, greeting: 'Hello', position: 'left', sound: false, questions: ['Why?'] };
      expect((await change({}).expect(200)).body).toEqual(made);
      const reset = Object.fromEntries(Object.keys(PLAIN).map((name) => [name, null]));
      expect((await change({ ...reset, position: 'right' }).expect(200)).body).toEqual({ ...PLAIN, position: 'right' });
    });

    it('each invalid setting is rejected with its field', async () => {
      for (const [body, pointer] of [
        [{ name: '' }, '/name'],
        [{ name: 'x'.repeat(101) }, '/name'],
        [{ greeting: 'x'.repeat(1_001) }, '/greeting'],
        [{ greeting: 'a\u0000b' }, '/greeting'],
        [{ greetingAfterSeconds: 3_601 }, '/greetingAfterSeconds'],
        [{ greetingAfterSeconds: -1 }, '/greetingAfterSeconds'],
        [{ greetingAfterSeconds: 1.5 }, '/greetingAfterSeconds'],
        [{ greetingPaths: '/' }, '/greetingPaths'],
        [{ greetingPaths: ['/ok', 'shop'] }, '/greetingPaths/1'],
        [{ greetingPaths: [`/${'x'.repeat(200)}`] }, '/greetingPaths/0'],
        [{ greetingPaths: Array.from({ length: 21 }, () => '/') }, '/greetingPaths'],
        ...WRONG_MESSAGES.map(
          ([messages, place]) => [{ proactiveMessages: messages }, `/proactiveMessages${place}`] as const,
        ),
        [{ color: 'red; background: url(x)' }, '/color'],
        [{ color: 7 }, '/color'],
        [{ colorText: 'var(--x)' }, '/colorText'],
        [{ theme: 'blue' }, '/theme'],
        [{ position: 'top' }, '/position'],
        [{ locale: 'not a tag' }, '/locale'],
        [{ locale: '\ud800' }, '/locale'],
        [{ sound: 'on' }, '/sound'],
        [{ privacyUrl: 'javascript:alert(1)' }, '/privacyUrl'],
        [{ privacyUrl: '/privacy' }, '/privacyUrl'],
        [{ privacyUrl: 'https://user:secret@acme.example/' }, '/privacyUrl'],
        [{ privacyUrl: `https://acme.example/${'x'.repeat(2_000)}` }, '/privacyUrl'],
        [{ consent: 'x'.repeat(501) }, '/consent'],
        [{ askName: true }, '/askName'],
        [{ askEmail: 'OPTIONAL' }, '/askEmail'],
        [{ formFields: {} }, '/formFields'],
        [{ formFields: Array.from({ length: 7 }, (_, at) => ({ ...FIELD, key: `k${at}` })) }, '/formFields'],
        [{ formFields: [FIELD, 7] }, '/formFields/1'],
        [{ formFields: [FIELD, { ...FIELD, key: 'b', label: 'x'.repeat(201) }] }, '/formFields/1/label'],
        [{ formFields: [{ ...FIELD, label: ' ' }] }, '/formFields/0/label'],
        [{ formFields: [FIELD, FIELD] }, '/formFields/1/key'],
        ...['a b', '', 'x'.repeat(65), '__proto__', 'url', 'title', 'referrer', 'language', 'timeZone', 'screen'].map(
          (key) => [{ formFields: [{ ...FIELD, key }] }, '/formFields/0/key'] as const,
        ),
        [{ formFields: [{ ...FIELD, type: 'password' }] }, '/formFields/0/type'],
        [{ formFields: [{ ...FIELD, isRequired: 1 }] }, '/formFields/0/isRequired'],
        [{ formFields: [{ ...FIELD, options: ['x'] }] }, '/formFields/0/options'],
        [{ formFields: [{ ...FIELD, type: 'select' }] }, '/formFields/0/options'],
        [{ formFields: [{ ...FIELD, placeholder: '' }] }, '/formFields/0/placeholder'],
        [{ formFields: [{ ...FIELD, optionLabels: { a: 7 } }] }, '/formFields/0/optionLabels'],
        [{ formFields: [{ ...FIELD, hint: 'x' }] }, '/formFields/0'],
        [
          { formFields: [{ ...FIELD, type: 'select', options: Array.from({ length: 50 }, () => 'x'.repeat(200)) }] },
          '/formFields',
        ],
        [{ officeHours: '' }, '/officeHours'],
        [{ questions: ['x', 'x'.repeat(81)] }, '/questions/1'],
        [{ questions: [''] }, '/questions/0'],
        [{ questions: Array.from({ length: 7 }, () => 'x') }, '/questions'],
        [{ translations: [] }, '/translations'],
        [{ translations: { 'not a tag': {} } }, '/translations'],
        [{ translations: { de: 'Hallo' } }, '/translations/de'],
        [{ translations: { de: { title: 'x' } } }, '/translations/de'],
        [{ translations: { de: { greeting: ' ' } } }, '/translations/de/greeting'],
        [{ translations: { de: { consent: 'x'.repeat(501) } } }, '/translations/de/consent'],
        [{ translations: { de: { questions: ['a', ''] } } }, '/translations/de/questions/1'],
        [{ translations: { de: { formFields: [] } } }, '/translations/de/formFields'],
        [{ translations: { de: { formFields: { order: { type: 'text' } } } } }, '/translations/de/formFields/order'],
        [{ translations: { de: { formFields: { order: { label: '' } } } } }, '/translations/de/formFields/order/label'],
        [{ translations: { de: { proactiveMessages: ['x'] } } }, '/translations/de/proactiveMessages'],
        [{ translations: { de: { proactiveMessages: { A: 'x' } } } }, '/translations/de/proactiveMessages'],
        [{ translations: { de: { proactiveMessages: { a: '' } } } }, '/translations/de/proactiveMessages/a'],
        [{ rating: 1 }, '/rating'],
        [{ messageRating: 'yes' }, '/messageRating'],
        [{ personAfter: 101 }, '/personAfter'],
        [{ personAfter: '1' }, '/personAfter'],
        [{ launcherIcon: 'chat' }, '/launcherIcon'],
        ...['.acme.example', 'acme', 'Acme.example', 'https://acme.example', 'acme.example/x', 'acme..example'].map(
          (cookieDomain) => [{ cookieDomain }, '/cookieDomain'] as const,
        ),
        [{ cookieDomain: 'acme.example.' }, '/cookieDomain'],
        [{ cookieDomain: 'acme.example;path=/' }, '/cookieDomain'],
        [{ cookieDomain: '127.0.0.1' }, '/cookieDomain'],
      ] as const) {
        const { body: problem } = await change(body);
        expect([body, problem.code, problem.errors]).toEqual([
          body,
          'validation_failed',
          [{ pointer, detail: expect.any(String) }],
        ]);
      }
      const { body: both } = await change({ color: 'x', rating: 1 }).expect(400);
      expect(both.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/color', '/rating']);
      expect((await tenant.admin.get('/widget').expect(200)).body).toEqual(PLAIN);
    });

    it('settings belong to one organization', async () => {
      const other = await parley.createTenant();
      await change(CHOSEN).expect(200);
      expect((await other.admin.get('/widget').expect(200)).body).toEqual(PLAIN);
      const { token } = await parley.signInAgent(other, { role: 'ADMIN' });
      const path = `/api/admin/organizations/${tenant.id}/widget`;
      await request(parley.url).get(path).set('Authorization', `Bearer ${token}`).expect(404);
    });
  });

  describe('for pages', () => {
    it('pages read whether visitors may send files, also right after a change', async () => {
      const read = async () => (await ask().expect(200)).body.visitorUploads as unknown;
      expect(await read()).toBeNull();
      await tenant.admin.patch('', { visitorUploads: true }).expect(200);
      expect(await read()).toEqual({ maxSize: 26_214_400 });
      await tenant.admin.patch('', { visitorUploads: false }).expect(200);
      expect(await read()).toBeNull();
    });

    it("pages get all chosen settings, the organization's name, and nothing else", async () => {
      expect((await ask().expect(200)).body).toEqual({ ...PLAIN, name: 'Acme', ...WITHOUT_MORE, aiDisclosure: OWN });
      await change(CHOSEN).expect(200);
      expect((await ask().expect(200)).body).toEqual({ ...CHOSEN, ...WITHOUT_MORE });
    });

    it('a page that names its locale gets the texts in its language', async () => {
      const [greeting, consent] = ['Hello', 'We store it'];
      const translations = {
        de: { greeting: 'Hallo', questions: ['Wo?'] },
        'pt-BR': { greeting: 'Olá', consent: 'Sim' },
      };
      await change({ greeting, consent, questions: ['Where?'], translations }).expect(200);
      const textsIn = async (locale: string, chosen?: string) => {
        const { body } = await ask().query({ locale, chosen }).expect(200);
        expect(body.translations).toEqual({});
        return [body.greeting, body.consent, body.questions];
      };
      expect(await textsIn('de-AT')).toEqual(['Hallo', consent, ['Wo?']]);
      expect(await textsIn('pt-br')).toEqual(['Olá', 'Sim', ['Where?']]);
      for (const other of ['pt', 'en', 'constructor', '%'])
        expect(await textsIn(other)).toEqual([greeting, consent, ['Where?']]);
      await change({ locale: 'de' }).expect(200);
      expect(await textsIn('pt-BR')).toEqual(['Hallo', consent, ['Wo?']]);
      expect(await textsIn('pt-BR', 'false')).toEqual(['Hallo', consent, ['Wo?']]);
      // The page chose it.
      expect(await textsIn('pt-BR', 'true')).toEqual(['Olá', 'Sim', ['Where?']]);
      await ask().query({ locale: 'pt-BR', chosen: 'yes' }).expect(400);
      expect((await ask().expect(200)).body).toMatchObject({ greeting, translations });
    });

    it('a page that names its locale gets the form fields in its language, with the same keys and choices', async () => {
      const [order, topic] = CHOSEN.formFields;
      const translations = {
        de: {
          formFields: {
            order: { label: 'Bestellnummer', placeholder: 'B-1' },
            topic: { label: 'Thema', optionLabels: { late: 'Zu spät' } },
            gone: { label: 'Ein Feld, das es nicht gibt' },
          },
        },
      };
      await change({ formFields: [order, topic, { key: 'constructor', label: 'C', type: 'tel' }], translations });
      const { body } = await ask().query({ locale: 'de' }).expect(200);
      expect(body.formFields).toEqual([
        { ...order, label: 'Bestellnummer', placeholder: 'B-1' },
        { ...topic, label: 'Thema', optionLabels: { late: 'Zu spät' } },
        { key: 'constructor', label: 'C', type: 'tel' },
      ]);
      expect((await ask().query({ locale: 'fr' }).expect(200)).body.formFields).toMatchObject([order, topic, {}]);
      expect((await ask().expect(200)).body).toMatchObject({ formFields: [order, topic, {}], translations });
      await change({ formFields: null }).expect(200);
      expect((await ask().query({ locale: 'de' }).expect(200)).body.formFields).toEqual([]);
    });

    it("proactive messages are in the page's language, and without a translation as they were set", async () => {
      const translations = {
        de: { proactiveMessages: { help: 'Können wir helfen?', gone: 'Weg' } },
        'zh-Hant': { proactiveMessages: { help: '需要協助嗎？' } },
      };
      const other = { id: 'constructor', text: 'Hello', minPages: 2 };
      await change({ translations, proactiveMessages: [HELP, other] }).expect(200);
      const read = async (locale?: string) =>
        (await ask().query({ locale }).expect(200)).body.proactiveMessages as unknown;
      expect(await read('de')).toEqual([{ ...HELP, text: 'Können wir helfen?' }, other]);
      expect(await read('fr')).toEqual([HELP, other]);
      expect(await read('zh-TW')).toEqual([{ ...HELP, text: '需要協助嗎？' }, other]);
      expect(await read('zh-CN')).toEqual([HELP, other]);
      expect(await read()).toEqual([HELP, other]);
    });

    it('pages cache the settings for five minutes per origin, and revalidate with an ETag', async () => {
      const { headers } = await ask().expect(200);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=300',
        'access-control-allow-origin': '*',
        vary: 'Origin',
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
      });
      const again = await ask().set('If-None-Match', `W/"other", ${headers.etag}`).expect(304);
      expect(again.text).toBe('');
      expect(again.headers).toMatchObject({ etag: headers.etag, 'cache-control': 'public, max-age=300' });
      await change({ greeting: 'New' }).expect(200);
      expect((await ask().set('If-None-Match', headers.etag!).expect(200)).body.greeting).toBe('New');
    });

    it('cached settings cost no query, and show every change immediately', async () => {
      await ask().expect(200);
      const recorder = new StatementRecorder();
      recorder.start();
      try {
        for (let time = 0; time < 5; time++) await ask().expect(200);
      } finally {
        recorder.stop();
      }
      expect(recorder.statements.filter(({ text }) => text.includes('widget_key'))).toEqual([]);
      await change({ rating: true }).expect(200);
      expect((await ask().expect(200)).body.rating).toBe(true);
      await tenant.admin.patch('', { name: 'Acme & Sons' }).expect(200);
      expect((await ask().expect(200)).body.name).toBe('Acme & Sons');
      await parley.admin.delete(`/${tenant.id}`).expect(204);
      await ask().expect(404);
    });

    it("origins that may not embed the chat don't get the settings, even from the cache", async () => {
      await ask().expect(200);
      await tenant.admin.patch('', { allowedOrigins: ['https://shop.example'] }).expect(200);
      for (const [origin, status] of [
        ['https://shop.example', 200],
        ['https://evil.example', 403],
        ['null', 403],
      ] as const) {
        const { headers } = await ask().set('Origin', origin).expect(status);
        expect(headers['access-control-allow-origin']).toBe('*');
        expect(headers['cache-control']).toBe(status === 200 ? 'public, max-age=300' : 'no-store');
      }
      await ask().expect(200);
    });

    it('an unknown key is answered as for a session, and an invalid one is named', async () => {
      const { body } = await ask('prl_wk_none').expect(404);
      const { body: session } = await parley.visitor().post('/sessions', { widgetKey: 'prl_wk_none' }).expect(404);
      expect({ ...body, requestId: '' }).toEqual({ ...session, requestId: '' });
      for (const path of ['', '?key=', `?key=${'x'.repeat(65)}`, '?key=a&key=b']) {
        const answer = await request(parley.url).get(`/api/visitor/widget${path}`).expect(400);
        expect(answer.body.errors).toMatchObject([{ pointer: '?key' }]);
      }
    });

    it('settings are rate-limited by address before any lookup', async () => {
      const limited = await Parley.start({ VISITOR_RATE_LIMIT: '1' });
      try {
        const statuses = new Set<number>();
        while (!statuses.has(429)) {
          const { status } = await request(limited.url).get('/api/visitor/widget?key=prl_wk_none');
          statuses.add(status);
        }
        expect(statuses).toEqual(new Set([404, 429]));
      } finally {
        await limited.stop();
      }
    });
  });
});
