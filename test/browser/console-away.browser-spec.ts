import { describe, expect, it } from '@jest/globals';
import { eventually, until } from '../support/eventually.js';
import { Desk } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('pauses with a reason, and idle agents', () => {
  const stage = Stage.set();

  const presenceOf = ({ page }: Desk, state: RegExp) => page.getByRole('button', { name: state });
  const isShownAway = (desk: Desk) => presenceOf(desk, /^Your presence:.*Away$/).isVisible();
  /** An agent makes no input until all of these tabs show them as away. A page's opening is an input that may still be on its way. */
  const rest = (...tabs: Desk[]) =>
    until('AWAY in all tabs', async () => {
      await stage.parley.query(
        `UPDATE agents SET active_at = now() - interval '1 hour' WHERE id = $1 AND NOT is_away`,
        [tabs[0]!.agentId],
      );
      return (await Promise.all(tabs.map(isShownAway))).every(Boolean);
    });
  const isAway = async (agentId: string) =>
    (await stage.parley.query('SELECT is_away FROM agents WHERE id = $1', [agentId]))[0]!.is_away as boolean;

  it('an agent says why they pause, and colleagues read it', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const bob = await Desk.open(stage, { name: 'Bob' });
    await presenceOf(ada, /^Your presence/).click();
    await ada.page.getByLabel('At lunch').check();
    await presenceOf(ada, /^Your presence:.*At lunch$/).waitFor();
    await presenceOf(bob, /^Your presence/).click();
    await bob.page.locator('.colleagues').getByText('At lunch').waitFor();
    await ada.page.getByLabel('Accepting chats').check();
    await bob.page.locator('.colleagues').getByText('Online').waitFor();
  });

  it('a choice that could not be saved is not shown, and without a connection there is none', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    await presenceOf(ada, /^Your presence/).click();
    const accepting = ada.page.getByLabel('Accepting chats');
    await ada.page.route('**/api/agent/presence', (route) => route.abort());
    await ada.page.getByLabel('At lunch').click();
    await ada.isTold("Can't reach the service");
    await ada.page.locator('.presence :checked').and(accepting).waitFor();
    stage.road.cut();
    await ada.page.locator('.presence :disabled').and(accepting).waitFor();
    stage.road.isCut = false;
    await ada.page.locator('.presence :enabled').and(accepting).waitFor();
  });

  it('a key press in one of two tabs makes an AWAY agent accept chats', async () => {
    await stage.tenant.admin.patch('', { awayAfterMinutes: 10 }).expect(200);
    const ada = await Desk.open(stage);
    const second = ada.inTab(await ada.visit.newTab(ada.page.url()));
    await second.isLive();
    await rest(ada, second);
    // Inputs are reported at most every 2 s.
    await until('ada accepts chats', async () => {
      await second.page.keyboard.press('j');
      return presenceOf(ada, /^Your presence:.*Accepting chats$/).isVisible();
    });
    await presenceOf(second, /^Your presence:.*Accepting chats$/).waitFor();
  });

  it('a connection that comes back is no input, and a page that is opened is', async () => {
    await stage.tenant.admin.patch('', { awayAfterMinutes: 10 }).expect(200);
    const ada = await Desk.open(stage);
    await rest(ada);
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    stage.road.isCut = false;
    await ada.page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    expect(await isAway(ada.agentId)).toBe(true);
    await ada.page.reload();
    await eventually(
      () => isAway(ada.agentId),
      (seen) => !seen,
    );
  });

  it('an administrator chooses after how many minutes agents become AWAY', async () => {
    const admin = await Desk.open(stage, { name: 'Ada', role: 'ADMIN' });
    await admin.page.goto(`${stage.road.url}/console/admin/organization`);
    await admin.page.getByLabel('Set to Away after a number of minutes').check();
    await admin.page.getByLabel('Minutes', { exact: true }).fill('15');
    await admin.button('Save').click();
    await admin.isTold('Saved');
    expect((await stage.tenant.admin.get('').expect(200)).body.awayAfterMinutes).toBe(15);
  });
});
