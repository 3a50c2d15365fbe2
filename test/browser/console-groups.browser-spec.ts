import { describe, expect, it } from '@jest/globals';
import { Desk, waitingChat } from './support/desk.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe('groups that change while consoles are open', () => {
  const stage = Stage.set();

  it('two administrators see them in three tabs, and an agent in a fourth', async () => {
    const ida = await Office.open(stage, 'groups');
    const max = await Office.open(stage, 'groups');
    const ada = await Desk.open(stage, { name: 'Ada' });
    const inbox = max.desk.inTab(await max.desk.visit.newTab(`${stage.road.url}/console/waiting`));
    await inbox.isLive();
    const inNav = (desk: Desk, name: string) => desk.page.getByRole('navigation').getByRole('link', { name });

    // A new group.
    await ida.button('New group').click();
    await ida.dialog.getByLabel('Name').fill('Sales');
    await ida.dialog.getByRole('button', { name: 'Add group' }).click();
    await ida.page.getByRole('heading', { name: 'Sales', level: 1 }).waitFor();
    await max.line('Sales').waitFor();
    await inNav(inbox, 'Sales').waitFor();

    // Its members.
    await max.line('Sales').getByRole('link').click();
    await max.page.getByText('No members yet').waitFor();
    await ida.page.getByLabel('Add member').selectOption('Ada');
    await max.page.locator('.line').filter({ hasText: 'Ada' }).waitFor();
    await inNav(ada, 'Sales').waitFor();

    // Wherever the group is named: rows of its chats show it too.
    const sales = (await stage.tenant.admin.get('/groups').expect(200)).body.groups.find(
      ({ name }: { name: string }) => name === 'Sales',
    ).id;
    await waitingChat(stage, 'I want to buy', { targetGroupId: sales });
    await inbox.rows.getByText('Sales').waitFor();
    await ida.page.getByLabel('Name').fill('Orders');
    await ida.button('Save').click();
    await inNav(inbox, 'Orders').waitFor();
    await inbox.rows.getByText('Orders').waitFor();
    await max.page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await inNav(ada, 'Orders').waitFor();

    // Its removal.
    await stage.tenant.admin.delete(`/groups/${sales}`).expect(204);
    await inNav(inbox, 'Orders').waitFor({ state: 'detached' });
    await inNav(ada, 'Orders').waitFor({ state: 'detached' });
    await max.page.getByRole('alert').waitFor();
    expect(inbox.visit.complaints).toEqual([]);
  });
});
