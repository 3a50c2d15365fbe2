import { describe, expect, it } from '@jest/globals';
import { findViolations } from './support/axe.js';
import { Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('a blocked visitor', () => {
  const stage = Stage.set();

  it("an agent blocks a visitor, who reads that the chat isn't available, even after a reload, until the agent unblocks them", async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Buy my watches');
    await stage.say('No, thanks');
    const status = visit.panel.locator('header .status');
    await status.getByText(/chatting with/).waitFor();
    const desk = await Desk.open(stage, { role: 'SUPERVISOR' }, { viewport: { width: 1440, height: 900 } });
    await desk.goTo(await stage.chatId(), 'open');
    await desk.page.getByRole('button', { name: 'Block visitor' }).click();
    const dialog = desk.page.getByRole('dialog', { name: /^Block / });
    await dialog.getByRole('combobox').selectOption({ label: 'a week' });
    await dialog.getByLabel('Reason, for your colleagues (optional)').fill('Spam');
    expect(await findViolations(desk.visit)).toEqual([]);
    await dialog.getByRole('button', { name: 'Block visitor' }).click();
    await desk.page.getByText(/Blocked until .*: Spam/).waitFor();

    const refused = visit.panel.getByText('Chat is unavailable right now');
    await refused.waitFor();
    // The header then names no one.
    expect(await status.count()).toBe(0);
    expect(await visit.panel.getByText('Spam').count()).toBe(0);
    await visit.page.reload();
    await visit.launcher.waitFor();
    await refused.waitFor();

    await desk.page.getByRole('button', { name: 'Unblock visitor' }).click();
    await desk.page.getByRole('button', { name: 'Block visitor' }).waitFor();
    await visit.button('Try again').click();
    await visit.say('Sorry');
    await visit.sees('Buy my watches', 'No, thanks', 'Sorry');
  });

  it.each([-2, 2])('an hour lasts an hour if the clock of the computer is wrong by %s hours', async (hours) => {
    const desk = await Desk.open(stage, { role: 'SUPERVISOR' }, { viewport: { width: 1440, height: 900 } });
    await desk.visit.context.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${hours} * 3600_000; }`);
    await desk.goTo(await waitingChat(stage));
    await desk.isLive();
    await desk.button('Block visitor').click();
    const dialog = desk.page.getByRole('dialog', { name: /^Block / });
    await dialog.getByRole('combobox').selectOption({ label: 'an hour' });
    await dialog.getByRole('button', { name: 'Block visitor' }).click();
    await desk.page.getByText(/Blocked until/).waitFor();
    const [row] = await stage.parley.query<{ is_soon: boolean }>(
      `SELECT until BETWEEN now() + interval '30 minutes' AND now() + interval '61 minutes' AS is_soon
       FROM visitor_blocks WHERE organization_id = $1`,
      [stage.tenant.id],
    );
    expect(row!.is_soon).toBe(true);
  });

  it('the chat comes back by itself after the block ends, without a reload', async () => {
    const { tenant, parley } = stage;
    const visit = await stage.visit();
    await visit.page.clock.install();
    await visit.open();
    await visit.say('Buy my watches');
    const { body: groups } = await tenant.bot.get('/groups').expect(200);
    const ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [groups[0].id] });
    const path = `/chats/${await stage.chatId()}/block`;
    await ada.client.put(path, {}).expect(200);
    const refused = visit.panel.getByText('Chat is unavailable right now');
    await refused.waitFor();
    await ada.client.delete(path).expect(204);
    await visit.page.clock.fastForward('01:00');
    await visit.composer.waitFor();
    expect(await refused.count()).toBe(0);
    await visit.say('Sorry');
    await visit.sees('Buy my watches', 'Sorry');
  });
});
