import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailServer } from '../mail/support/mail-server.js';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Desk, givePassword, makeAgent } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('signing in to the console', () => {
  const stage = Stage.set();
  const open = (path = '', options = {}) => stage.visit(options, `${stage.road.url}/console${path}`);
  const enter = async ({ page }: Visit, email: string, password: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it('a link signs in even after a preview fetched it, and the password set with it works', async () => {
    const { id, email } = await makeAgent(stage);
    const link = `/link#${await stage.parley.mintLink(stage.tenant, id)}`;
    await fetch(`${stage.road.url}/console${link}`);
    await open(link);
    const visit = await open(link);
    await visit.page.getByLabel('New password').fill('too short');
    await visit.page.getByRole('button', { name: 'Set password and sign in' }).click();
    await visit.page.getByText('Use at least 12 characters.').waitFor();
    await visit.page.getByLabel('New password').fill('correct horse battery');
    await visit.page.getByRole('button', { name: 'Set password and sign in' }).click();
    await visit.page.getByRole('heading', { name: 'Mine' }).waitFor();
    expect(new URL(visit.page.url()).hash).toBe('');
    expect(visit.complaints).toEqual([]);

    const used = await open(link);
    await used.page.getByText('This link has expired or was already used.').waitFor();
    expect(await used.page.getByLabel('New password').count()).toBe(0);

    const other = await open();
    await enter(other, email, 'something else');
    await other.page.getByText('Wrong email or password.').waitFor();
    await enter(other, email, 'correct horse battery');
    await other.page.getByRole('heading', { name: 'Mine' }).waitFor();
  });

  it('the page of a link says whom it signs in, and where', async () => {
    const { id, email } = await makeAgent(stage, { name: 'Ada Lovelace' });
    const { page } = await open(`/link#${await stage.parley.mintLink(stage.tenant, id)}`);
    await page.getByText('Ada Lovelace').waitFor();
    for (const words of [email, 'Acme']) await page.getByText(words, { exact: true }).waitFor();
    // A colleague's session in this browser stays.
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.locator('.desk').waitFor();
    const beside = await page.context().newPage();
    await beside.goto(`${stage.road.url}/console/link#prl_lnk_used`);
    await beside.getByText('This link has expired').waitFor();
    await page.goto(`${stage.road.url}/console/mine`);
    await page.locator('.desk').waitFor();
  });

  it('the focus is in the first field after a used link, and after signing out', async () => {
    const { id, email } = await makeAgent(stage);
    const password = await givePassword(stage, id);
    const { page } = await open('/link#used');
    await page.getByText('This link has expired or was already used.').waitFor();
    await page.getByRole('button', { name: 'Sign in with a password' }).press('Enter');
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('.desk').waitFor();
    await page.getByRole('button', { name: 'Account' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
    await page.locator('#email:focus').waitFor();
  });

  it('a service without e-mail names the administrator for a forgotten password', async () => {
    const { page } = await open();
    await page.getByText('No password yet, or forgot it? Ask your administrator for a sign-in link.').waitFor();
    expect(await page.getByRole('button', { name: 'Forgot password?' }).count()).toBe(0);
  });

  it('the page says how long to wait after too many attempts', async () => {
    const { id, email } = await makeAgent(stage);
    const password = await givePassword(stage, id);
    for (let attempt = 0; attempt < 11; attempt++) {
      await stage.parley.agent().post('/session', { email, password: 'wrong' });
    }
    const visit = await open();
    await enter(visit, email, password);
    await visit.page.getByText(/Too many attempts\. Try again in \d+ (minutes?|seconds?)/).waitFor();
  });

  it('missing fields are explained in the language of the console, and a second Enter signs in only once', async () => {
    const { id, email } = await makeAgent(stage);
    const password = await givePassword(stage, id);
    const { page } = await open('', { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('Geben Sie Ihre E-Mail-Adresse ein.').waitFor();
    await page.getByLabel('E-Mail').fill(email);
    await page.keyboard.press('Enter');
    await page.getByText('Geben Sie Ihr Passwort ein.').waitFor();
    await page.locator('#password[aria-invalid=true]:focus').waitFor();
    let sent = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/agent/session', async (asked) => {
      if (asked.request().method() === 'POST') sent++;
      await held;
      await asked.continue();
    });
    await page.locator('#password').fill(password);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    release();
    await page.locator('.desk').waitFor();
    expect(sent).toBe(1);
  });

  it('the page asks for the organization when several match', async () => {
    const { id, email } = await makeAgent(stage);
    const password = await givePassword(stage, id);
    const second = await stage.parley.createTenant({ name: 'Beta' });
    const agent = await makeAgent({ tenant: second }, { email, name: 'Ada of Beta' });
    await stage.parley.signInAgain(second, agent.id, password);
    const visit = await open();
    await enter(visit, email, password);
    await visit.page.getByRole('button', { name: 'Beta' }).click();
    await visit.page.getByText('Ada of Beta').waitFor();
  });

  it('an agent lists sessions, and a page whose session ended elsewhere says why and keeps its draft', async () => {
    const desk = await Desk.open(stage);
    const password = await givePassword(stage, desk.agentId);
    const second = await open();
    await enter(second, desk.email, password);
    await second.page.getByRole('heading', { name: 'Mine' }).waitFor();

    const { chatId } = stage.tenant;
    await second.page.goto(`${stage.road.url}/console/bot/${chatId}`);
    await second.page.getByRole('button', { name: /^Take over/ }).click();
    await second.page.getByLabel('Message to Vera').fill('Half a sente');

    const first = await open();
    await enter(first, desk.email, password);
    await first.page.getByRole('button', { name: 'Account' }).click();
    await first.page.getByRole('menuitem', { name: 'Sessions and password…' }).click();
    await first.page.getByText('This session', { exact: true }).waitFor();
    const ends = first.page.getByRole('button', { name: 'End this session' });
    for (let left = await ends.count(); left > 0; left--) {
      await ends.first().click();
      await eventually(
        () => ends.count(),
        (count) => count < left,
      );
    }
    await second.page.getByText('You were signed out from another device. Your drafts are saved.').waitFor();
    await enter(second, desk.email, password);
    await second.page.getByLabel('Message to Vera').waitFor();
    expect(await second.page.getByLabel('Message to Vera').inputValue()).toBe('Half a sente');
    const drafts = () => second.page.evaluate<boolean>(`JSON.stringify(localStorage).includes('Half a sente')`);
    expect(await drafts()).toBe(true);

    await second.page.getByRole('button', { name: 'Account' }).click();
    await second.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // Someone else may use the browser next.
    expect(await eventually(drafts, (left) => !left)).toBe(false);
    await second.page.reload();
    await second.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('the console retries by itself only until it has succeeded', async () => {
    const { page } = await stage.visit();
    await page.clock.install();
    let isDown = true;
    await page.route('**/api/agent/session', (route) => (isDown ? route.abort() : route.continue()));
    await page.goto(`${stage.road.url}/console`);
    await page.getByText("Can't reach the service. Check").waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    asked.length = 0;
    isDown = false;
    // A click that waits for a button at rest could come after the page's own attempt.
    await again.evaluate((button: any) => button.click());
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.clock.runFor(30_000);
    // Comes after every request that the page has started.
    await page.evaluate(`fetch('/health/live')`);
    expect(asked.filter((path) => path.startsWith('/api/'))).toEqual(['/api/agent/session']);
  });

  it("the console speaks the browser's language, or the chosen one", async () => {
    const visit = await open('', { locale: 'de-DE' });
    await visit.page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await visit.page.locator('html').getAttribute('lang')).toBe('de');
    await visit.page.getByRole('button', { name: 'English' }).click();
    await visit.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await visit.page.reload();
    await visit.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it.each(Object.entries(LOOKS))('axe finds no violation in signing in on %s', async (_look, options) => {
    const visit = await open('', options);
    await visit.page.getByLabel('Password').waitFor();
    expect(await findViolations(visit)).toEqual([]);
    const { id, email } = await makeAgent(stage);
    const link = await open(`/link#${await stage.parley.mintLink(stage.tenant, id)}`, options);
    await link.page.getByText(email).waitFor();
    expect(await findViolations(link)).toEqual([]);
    const used = await open('/link#prl_lnk_none', options);
    await used.page.getByText('This link has expired').waitFor();
    expect(await findViolations(used)).toEqual([]);
  });
});

describe('a forgotten password in the console', () => {
  const environment: NodeJS.ProcessEnv = {};
  let server: MailServer;
  beforeAll(async () => {
    server = await MailServer.start();
    Object.assign(environment, server.environment, { PUBLIC_URL: 'http://127.0.0.1' });
  });
  afterAll(() => server.close());
  const stage = Stage.set(environment);
  const open = (path = '', options = {}) => stage.visit(options, `${stage.road.url}/console${path}`);
  const isSent = 'If an account with a password has this address, an e-mail with a link is on its way to it.';

  it('a link by e-mail replaces it, and the page says the same of an unknown address', async () => {
    const { id, email } = await makeAgent(stage);
    await givePassword(stage, id);
    const visit = await open();
    const { page } = visit;
    const ask = async (address: string) => {
      await page.getByRole('button', { name: 'Forgot password?' }).click();
      await page.getByLabel('Email').fill(address);
      await page.keyboard.press('Enter');
      await page.getByText(isSent).waitFor();
    };
    await ask('nobody@example.com');
    expect(await page.getByLabel('Email').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in with a password' }).click();
    await ask(email);
    expect(await findViolations(visit)).toEqual([]);
    const [mail] = await server.arrived(email);
    const [, token] = /console\/link#(prl_lnk_\w+)/.exec(mail!.text)!;
    await page.goto(`${stage.road.url}/console/link#${token}`);
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    const other = await open();
    await other.page.getByLabel('Email').fill(email);
    await other.page.getByLabel('Password').fill('another long password');
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('heading', { name: 'Mine' }).waitFor();
    expect(visit.complaints.filter((line) => !line.includes('401'))).toEqual([]);
    expect(server.to('nobody@example.com')).toEqual([]);
  });

  it('the address that was typed to sign in is kept, and an empty one is explained', async () => {
    const { page } = await open('', { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Passwort vergessen?' }).click();
    await page.locator('#email:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Geben Sie Ihre E-Mail-Adresse ein.').waitFor();
    await page.getByRole('button', { name: 'Mit Passwort anmelden' }).click();
    await page.getByLabel('E-Mail').fill('ada@example.com');
    await page.getByRole('button', { name: 'Passwort vergessen?' }).click();
    await page.locator('#email:focus').waitFor();
    expect(await page.locator('#email').inputValue()).toBe('ada@example.com');
  });
});
