import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Receiver } from '../support/receiver.js';
import { anotherChat, Desk, makeAgent, waitingChat } from './support/desk.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe('the administration', () => {
  const stage = Stage.set({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1' });
  const complaints: string[][] = [];
  // The browser's console reports rejected requests.
  afterEach(() =>
    expect(
      complaints
        .splice(0)
        .flat()
        .filter((text) => !/\b(400|403|404|409)\b/.test(text)),
    ).toEqual([]),
  );
  const open = async (...given: Parameters<typeof Office.open> extends [Stage, ...infer Rest] ? Rest : never) => {
    const office = await Office.open(stage, ...given);
    complaints.push(office.complaints);
    return office;
  };

  it('an administrator invites an agent by a link that signs in, and sees errors at their fields', async () => {
    const ida = await open();
    const { page } = ida;
    await ida.button('Invite').click();
    await page.getByLabel('Name').fill('Bob');
    await page.getByLabel('Email').fill('bob@localhost');
    await ida.button('Create invitation').click();
    await page.getByText('Enter an email address, such as ada@example.com.').waitFor();
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Email').fill(ida.desk.email);
    await ida.button('Create invitation').click();
    await page.getByText('Someone else in your organization uses this email address.').waitFor();
    await page.getByLabel('Email').fill('bob@example.com');
    await page.getByLabel('Supervisor').check();
    await ida.button('Create invitation').click();
    await ida.dialog.getByText('Copy it now.').waitFor();
    // A click beside the dialog doesn't lose the link.
    await page.mouse.click(5, 5);
    const link = await ida.takeSecret();
    await ida.line('Bob').getByText('Supervisor').waitFor();

    const bob = await stage.visit({}, link.replace(stage.parley.url, stage.road.url));
    await bob.page.getByLabel('New password').fill('correct horse battery');
    await bob.page.getByRole('button', { name: 'Set password and sign in' }).click();
    await bob.page.getByRole('link', { name: 'Overview' }).waitFor();
    expect(await bob.page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  });

  it('removing or disabling a person says how many open chats go back to a queue, also snoozed ones', async () => {
    const { id } = await makeAgent(stage, { name: 'Bob' });
    const { client } = await stage.parley.signInAgain(stage.tenant, id);
    for (const name of ['One', 'Two']) {
      const chatId = await anotherChat(stage, name, 'Hello');
      await client.post(`/chats/${chatId}/claim`).expect(200);
      if (name === 'Two') await client.post(`/chats/${chatId}/snooze`, { until: null }).expect(200);
    }
    const ida = await open(`people/${id}`);
    for (const action of ['Disable', 'Remove']) {
      await ida.button(action).click();
      await ida.dialog.getByText('2 open chats go back to the queues of General.').waitFor();
      await ida.button('Cancel').click();
      await ida.dialog.waitFor({ state: 'detached' });
    }
  });

  it("an administrator changes an agent's role, disables, enables, and deletes them, but not themselves", async () => {
    const bob = await Desk.open(stage, { name: 'Bob' });
    const ida = await open(`people/${bob.agentId}`);
    await ida.page.getByLabel('Administrator').check();
    await ida.page.getByLabel('Chats at a time').fill('0');
    await ida.button('Save').click();
    await ida.page.locator('.fault').getByText('Enter a whole number from 1 to 100.').waitFor();
    await ida.page.getByLabel('Chats at a time').fill('3');
    await ida.page.getByLabel('General').uncheck();
    await ida.button('Save').click();
    await ida.isTold('Saved');
    const { body } = await stage.tenant.admin.get(`/agents/${bob.agentId}`).expect(200);
    expect(body).toMatchObject({ role: 'ADMIN', capacity: 3, groupIds: [] });

    await ida.button('Disable').click();
    await ida.dialog.getByRole('button', { name: 'Disable' }).click();
    await ida.isTold('Bob is disabled');
    await bob.page.getByText('Your account was disabled.').waitFor();
    await ida.button('Enable').click();
    await ida.isTold('Bob is enabled');
    await ida.button('Remove').click();
    await ida.dialog.getByRole('button', { name: 'Remove' }).click();
    await ida.isTold('Bob was removed');
    await ida.line('Ida').getByRole('link').click();
    await ida.page.getByText('Another administrator can create a link for you').waitFor();
    expect(await ida.button('Disable').count()).toBe(0);
    expect(await ida.page.getByLabel('Supervisor').isDisabled()).toBe(true);
  });

  it("an administrator sets a group's routing to offers, makes it the default, adds agents, and deletes another", async () => {
    const ida = await open('groups');
    const { page } = ida;
    await page.keyboard.press('n');
    await page.getByLabel('Name').fill('Sales');
    await ida.button('Add group').click();
    await page.getByRole('heading', { name: 'Sales' }).waitFor();
    await page.getByLabel('Offered to one person at a time').check();
    await page.getByLabel('Time to accept an offer').fill('45');
    await page.getByLabel('Maximum wait').fill('600');
    await page.getByText('seconds · 10 minutes').waitFor();
    await page.getByLabel('Return it to the bot').check();
    await ida.button('Save').click();
    await ida.isTold('Saved');
    await page.getByLabel('Add member').selectOption({ label: 'Ida' });
    await ida.isTold('Ida was added to Sales');
    await ida.button('Make default').click();
    await ida.isTold('Sales is now the default group');
    const { groups } = (await stage.tenant.admin.get('/groups').expect(200)).body;
    const sales = groups.find(({ name }: { name: string }) => name === 'Sales');
    const settings = { routing: 'OFFER', offerSeconds: 45, maxWaitSeconds: 600, onUnanswered: 'RETURN_TO_BOT' };
    expect(sales).toMatchObject({ ...settings, isDefault: true });
    const { body: agent } = await stage.tenant.admin.get(`/agents/${ida.desk.agentId}`).expect(200);
    expect(agent.groupIds).toContain(sales.id);

    await page.getByRole('link', { name: 'Groups' }).first().click();
    await ida.line('General').getByRole('link').click();
    await ida.button('Remove').click();
    await ida.dialog.getByRole('button', { name: 'Remove' }).click();
    await ida.isTold('General was removed');
    await ida.line('Sales').waitFor();
    expect(await ida.page.locator('.lines > li').count()).toBe(1);
  });

  it("an administrator gives a group's chats to one bot, and to every bot again", async () => {
    const { admin } = stage.tenant;
    const { body: helper } = await admin.post('/bots', { name: 'Helper' }).expect(201);
    const { body: group } = await admin.post('/groups', { name: 'Sales' }).expect(201);
    const botId = async () => (await admin.get(`/groups/${group.id}`).expect(200)).body.botId;
    const ida = await open(`groups/${group.id}`);
    const field = ida.page.getByRole('combobox', { name: 'Bot', exact: true });
    expect(await field.locator('option:checked').innerText()).toBe('Every bot');
    await field.selectOption({ label: 'Helper' });
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await botId()).toBe(helper.id);
    await ida.page.reload();
    await ida.isRead();
    await eventually(
      () => field.locator('option:checked').innerText(),
      (name) => name === 'Helper',
    );
    await field.selectOption({ label: 'Every bot' });
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await botId()).toBeNull();
  });

  it('an administrator adds a bot with a working token, sees when it was used, and revokes it', async () => {
    const ida = await open('bots');
    const { page } = ida;
    await ida.button('New bot').click();
    await page.getByLabel('Name').fill('Helper');
    await page.getByLabel('Your own program answers').check();
    await ida.button('Add bot').click();
    await page.getByText('No tokens yet').waitFor();
    const onlyOwnChats = async () =>
      (await stage.tenant.admin.get('/bots').expect(200)).body.bots.find(({ name }: any) => name === 'Helper')
        .onlyOwnChats;
    expect(await onlyOwnChats()).toBe(true);
    const recommended = page.getByText('We recommend that the bot can’t write there.');
    expect(await recommended.count()).toBe(0);
    await page.getByLabel('The bot decides with each request').check();
    await recommended.waitFor();
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await onlyOwnChats()).toBe(false);
    await ida.button('New token').click();
    await page.getByLabel('Name (optional)').fill('production');
    await page.getByLabel('After 30 days').check();
    await ida.button('Create token').click();
    await ida.dialog.getByText('Copy it now.').waitFor();
    const token = await ida.takeSecret();
    await ida.line('production').getByText('Never used').waitFor();
    await stage.parley.bot(token).get('/groups').expect(200);
    // The time of the last use is stored some seconds late, and the page reads it.
    await ida.line('production').getByText('just now').waitFor();
    await ida.button('New token').click();
    await page.getByLabel('Name (optional)').fill('observer');
    await page.getByLabel('Only this').check();
    await ida.button('Create token').click();
    await ida.dialog.getByText('Choose at least one permission.').waitFor();
    await page.getByLabel(/^Read/).check();
    await ida.button('Create token').click();
    const observer = stage.parley.bot(await ida.takeSecret());
    await ida.line('observer').getByText('Read').waitFor();
    await observer.get('/groups').expect(200);
    await observer.post('/messages', {}).expect(403);
    await ida.button('Revoke production').click();
    await ida.dialog.getByRole('button', { name: 'Revoke' }).click();
    await ida.isTold('Token revoked');
    await stage.parley.bot(token).get('/groups').expect(401);
  });

  it('an administrator adds a webhook, tests it, sees why deliveries fail, and sends them again', async () => {
    const receiver = await Receiver.start((_, response) => void response.writeHead(500).end());
    const ida = await open('webhooks');
    const { page } = ida;
    await page.getByText('No webhooks yet').waitFor();
    await ida.button('New webhook').click();
    const fault = page.locator('.fault');
    await page.getByLabel('URL').fill('example');
    await ida.button('Add webhook').click();
    await fault.getByText('Enter a URL that starts with https:// or http://').waitFor();
    expect(await page.getByLabel('URL').evaluate((field: any) => field === field.ownerDocument.activeElement)).toBe(
      true,
    );
    await page.getByLabel('URL').fill('http://10.0.0.1/hook');
    await ida.button('Add webhook').click();
    await fault.getByText(/To allow 10\.0\.0\.1, .* WEBHOOK_ALLOWED_HOSTS/).waitFor();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('chat.created').uncheck();
    await ida.button('Add webhook').click();
    await ida.dialog.getByText('Copy it now.').waitFor();
    expect(await ida.takeSecret()).toMatch(/^whsec_/);
    await ida.line('event types').getByRole('link').click();
    await ida.button('Send test event').click();
    await page.getByText('Test failed.').waitFor();
    await page.locator('.outcome').getByText('The receiver returned 500').waitFor();

    await waitingChat(stage);
    const givenUp = page.locator('.delivery').filter({ hasText: 'Failed' }).filter({ hasText: 'message.created' });
    // No delivery is in flight, so the order is final.
    const underWay = page.locator('.delivery').filter({ hasText: /Pending|Sending/ });
    await eventually(
      async () => {
        await ida.button('Refresh').click();
        return [await givenUp.count(), await underWay.count()] as const;
      },
      ([done, left]) => done === 2 && left === 0,
    );
    await givenUp.first().locator('summary').click();
    await givenUp.first().getByRole('cell', { name: 'The receiver returned 500' }).first().waitFor();
    expect(await givenUp.first().getByLabel('Payload').inputValue()).toContain('"message.created"');
    const chat = givenUp.first().getByRole('link', { name: 'Open the chat' });
    expect(await chat.getAttribute('href')).toContain(stage.tenant.chatId);

    receiver.become((_, response) => void response.end());
    await ida.button('Resend failed…').click();
    await ida.dialog.getByRole('button', { name: 'Resend' }).click();
    await ida.isTold(/^Resending \d/);
    await page.getByLabel('Status').selectOption({ label: 'Delivered' });
    const delivered = page.locator('.delivery').filter({ hasText: 'message.created' });
    await eventually(
      async () => {
        await ida.button('Refresh').click();
        return delivered.count();
      },
      // Both, so that their order is final.
      (count) => count === 2,
    );
    await delivered.first().locator('summary').click();
    await delivered.first().getByRole('button', { name: 'Resend' }).click();
    await ida.isTold('Resending this event');
    await ida.button('Send test event').click();
    await page.getByText('Test succeeded.').waitFor();
    const location = { Location: 'https://www.example.com/login?key=hidden' };
    receiver.become((_, response) => void response.writeHead(302, location).end());
    await ida.button('Send test event').click();
    await page.getByText("answered 302: a redirect to https://www.example.com, which isn't followed").waitFor();
    await receiver.close();
  });

  it("an administrator replaces a webhook's secret, disables, enables, changes, and deletes it", async () => {
    const { body } = await stage.tenant.admin.post('/webhooks', { url: 'http://127.0.0.1:9/hook' }).expect(201);
    const ida = await open(`webhooks/${body.id}`);
    const { page } = ida;
    await ida.button('New secret').click();
    await ida.dialog.getByRole('button', { name: 'New secret' }).click();
    expect(await ida.takeSecret()).not.toBe(body.secret);
    await page.getByText('Both secrets sign events until').waitFor();
    await ida.button('Turn off').click();
    await ida.button('Turn on').click();
    await ida.button('Turn off').waitFor();
    await page.getByLabel('Visitors').uncheck();
    await ida.button('Save').click();
    await ida.isTold('Saved');
    const { body: changed } = await stage.tenant.admin.get(`/webhooks/${body.id}`).expect(200);
    expect(changed).toMatchObject({ isEnabled: true, senderTypes: ['BOT', 'AGENT', 'SYSTEM'] });
    await ida.button('Remove').click();
    await ida.dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });
});
