import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { givePassword, makeAgent, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

/** Ends all other sessions of the agent who is signed in on the page. */
const endOthers = `(async () => {
  const { sessions } = await (await fetch('/api/agent/sessions')).json();
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  for (const { id } of others) await fetch('/api/agent/sessions/' + id, { method: 'DELETE' });
  return others.length;
})()`;

describe('a session of the console that ends', () => {
  const stage = Stage.set();

  const enter = async ({ page }: Visit, password: string, email?: string) => {
    if (email) await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  /** An agent with a password, on a page of the console. */
  const open = async (fields: Parameters<typeof makeAgent>[1] = {}) => {
    const { id, email } = await makeAgent(stage, fields);
    const password = await givePassword(stage, id);
    const visit = await stage.visit({}, `${stage.road.url}/console`);
    await enter(visit, password, email);
    await visit.page.locator('.rows[aria-busy=false]').waitFor();
    const endFromElsewhere = async () => {
      const other = await stage.visit({}, `${stage.road.url}/console`);
      await enter(other, password, email);
      await other.page.locator('.desk').waitFor();
      expect(await other.page.evaluate<number>(endOthers)).toBeGreaterThan(0);
      await visit.page.getByText('You were signed out from another device.').waitFor();
      await other.close();
    };
    return { id, email, password, visit, page: visit.page, endFromElsewhere };
  };

  it('a form stays below the sign-in page, and is saved after it', async () => {
    const ida = await open({ name: 'Ida', role: 'ADMIN' });
    await ida.page.goto(`${stage.road.url}/console/admin/organization`);
    const name = ida.page.getByLabel('Name', { exact: true });
    await name.fill('Acme & Daughters');
    await ida.endFromElsewhere();
    // Nothing of the page can be read, focused, or moved.
    expect(await name.isVisible()).toBe(false);
    expect(await ida.page.getByLabel('Email').inputValue()).toBe(ida.email);
    await ida.page.keyboard.press('Escape');
    await ida.page.keyboard.press('Escape');
    await ida.page.getByLabel('Password').waitFor();
    await enter(ida.visit, ida.password);
    await name.waitFor();
    expect(await name.inputValue()).toBe('Acme & Daughters');
    await ida.page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(
      async () => (await stage.tenant.admin.get('').expect(200)).body.name as string,
      (saved) => saved === 'Acme & Daughters',
    );
    expect(ida.visit.complaints.filter((line) => !line.includes('401'))).toEqual([]);
  });

  it('a page goes on when its agent signs in with a link in another tab', async () => {
    const ada = await open();
    await ada.endFromElsewhere();
    const link = await stage.parley.mintLink(stage.tenant, ada.id);
    const tab = await ada.visit.newTab(`${stage.road.url}/console/link#${link}`);
    await tab.page.getByRole('button', { name: 'Skip for now' }).click();
    await ada.page.locator('.welcome-dialog').waitFor({ state: 'detached' });
    await ada.page.getByRole('heading', { name: 'Mine' }).waitFor();
  });

  it("a dialog's words stay, and act on their chat afterwards", async () => {
    const chatId = await waitingChat(stage);
    const ada = await open();
    await ada.page.goto(`${stage.road.url}/console/waiting/${chatId}`);
    await ada.page.locator('.chat button[aria-disabled=false]').first().waitFor();
    await ada.page.keyboard.press('c');
    await ada.page.locator('.composer textarea:focus').press('Escape');
    await ada.page.locator('.chat button[aria-disabled=false]').first().waitFor();
    await ada.page.keyboard.press('t');
    const note = ada.page.getByLabel('Note for the next agent (optional)');
    await note.fill('Wants a refund');
    await ada.endFromElsewhere();
    expect(await note.isVisible()).toBe(false);
    await ada.page.getByRole('heading', { name: 'Sign in' }).click();
    for (const key of ['e', 'Control+k', 'Escape']) await ada.page.keyboard.press(key);
    await enter(ada.visit, ada.password);
    await note.waitFor();
    expect(await note.inputValue()).toBe('Wants a refund');
    await eventually(
      () => ada.page.locator('.connection p').count(),
      (count) => count === 0,
    );
  });

  it("another agent who signs in gets nothing of the first one's page", async () => {
    const ada = await open({ name: 'Ada', role: 'ADMIN' });
    const { id, email } = await makeAgent(stage, { name: 'Ben', role: 'ADMIN' });
    const password = await givePassword(stage, id);
    await ada.page.goto(`${stage.road.url}/console/admin/organization`);
    await ada.page.getByLabel('Name', { exact: true }).fill('Only Ada knows');
    await ada.endFromElsewhere();
    await enter(ada.visit, password, email);
    await ada.page.locator('.me-words').getByText('Ben').waitFor();
    expect(await ada.page.getByLabel('Name', { exact: true }).inputValue()).not.toBe('Only Ada knows');
  });

  it('signing in again in one tab goes on in the others, and signing out leaves nothing in them', async () => {
    const ada = await open();
    const second = await ada.page.context().newPage();
    await second.goto(`${stage.road.url}/console`);
    await second.locator('.rows[aria-busy=false]').waitFor();
    await ada.endFromElsewhere();
    await second.getByText('You were signed out from another device.').waitFor();
    await enter(ada.visit, ada.password);
    await second.getByRole('heading', { name: 'Mine' }).waitFor();
    await second.getByRole('button', { name: 'Account' }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await ada.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await ada.page.locator('.desk').count()).toBe(0);
  });
});
