import { afterEach, describe, expect, it } from '@jest/globals';
import { says, stream, text } from '../bot-connections/support/model.js';
import { eventually } from '../support/eventually.js';
import { Receiver } from '../support/receiver.js';
import { findViolations } from './support/axe.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe('an agent that is connected in the console', () => {
  const stage = Stage.set({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });

  const models: Receiver[] = [];
  afterEach(() => Promise.all(models.splice(0).map((model) => model.close())));

  /** The base of a model's API that answers with this. */
  async function modelThat(answers: Parameters<typeof Receiver.start>[0]): Promise<string> {
    const model = await Receiver.start(answers);
    models.push(model);
    return `http://127.0.0.1:${model.port}/v1`;
  }

  /** Opens the dialog of a new bot from the first steps, and fills it. */
  async function begin(url: string): Promise<Office> {
    const ida = await Office.open(stage, 'setup');
    await ida.page.getByRole('link', { name: 'Connect an agent' }).click();
    await ida.button('New bot').click();
    await ida.page.getByLabel('Name').fill('Robin');
    await ida.button('Add bot').click();
    await ida.dialog.getByLabel('Address', { exact: true }).fill(url);
    await ida.dialog.getByLabel('Model', { exact: true }).fill('m-1');
    await ida.dialog.getByLabel('Key', { exact: true }).fill('sk-secret');
    await ida.dialog.getByLabel('Instructions').fill('You answer for Acme.');
    return ida;
  }

  it('answers a visitor in the widget, from the first steps on, without a line of code', async () => {
    const ida = await begin(await modelThat(says(text('We open '), text('at nine.'))));
    expect(await findViolations(ida.desk.visit)).toEqual([]);
    await ida.dialog.getByLabel('A message, such as').fill('When do you open?');
    await ida.dialog.getByRole('button', { name: 'Ask' }).click();
    await ida.dialog.getByText('It works.').waitFor();
    expect(await ida.dialog.locator('.try-answer').innerText()).toBe('We open at nine.');
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    await ida.isTold('Connected.');
    await ida.page.getByText('It has not answered yet.').waitFor();
    // Another bot would answer the chats of the organization's group.
    await stage.tenant.admin.delete(`/bots/${stage.tenant.botId}`).expect(204);
    const visit = await stage.visit();
    await visit.open();
    await visit.say('When do you open?');
    await visit.sees('When do you open?', 'We open at nine.');
    const answered = ida.page.locator('details.delivery').getByText('Answered', { exact: true });
    // The visitor reads the answer before its turn has ended.
    await eventually(
      async () => {
        await ida.button('Refresh').click();
        return answered.count();
      },
      (count) => count > 0,
    );
    await ida.page.locator('details.delivery summary').click();
    await ida.page.getByRole('cell', { name: 'Answered' }).waitFor();
    await ida.goTo('setup');
    await ida.page.getByText('A bot was active').waitFor();
    expect(ida.complaints).toEqual([]);
  });

  it('a test shows the answer while it comes, and says what is wrong, before anything is saved', async () => {
    const answers = [
      (_: unknown, response: any) => void response.writeHead(401).end('Unknown key'),
      (_: unknown, response: any) => void streams.push(stream(response)),
    ];
    const streams: any[] = [];
    const ida = await begin(await modelThat((received, response) => answers.shift()!(received, response)));
    const ask = ida.dialog.getByRole('button', { name: 'Ask' });
    await ask.click();
    await ida.dialog.getByText('The address answered with an error.').waitFor();
    await ida.dialog.getByText('answered 401: Unknown key').waitFor();
    await ask.click();
    await eventually(
      () => Promise.resolve(streams.length),
      (count) => count === 1,
    );
    streams[0].write(text('Once upon'));
    await ida.dialog.locator('.try-answer').getByText('Once upon', { exact: true }).waitFor();
    const closed = new Promise((resolve) => streams[0].once('close', resolve));
    await ida.page.keyboard.press('Escape');
    await ida.dialog.getByRole('button', { name: 'Discard' }).click();
    await closed;
    expect(
      (await stage.tenant.admin.get('/bots').expect(200)).body.bots.map((bot: any) => bot.hasConnection),
    ).not.toContain(true);
  });

  it('the connection can be paused, edited with its key kept, and removed', async () => {
    const url = await modelThat(says(text('Hi')));
    const ida = await begin(url);
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    await ida.isTold('Connected.');
    const found = (await stage.tenant.admin.get('/bots').expect(200)).body.bots.find(
      ({ name }: any) => name === 'Robin',
    );
    const connection = () => stage.tenant.admin.get(`/bots/${found.id}/connection`);
    await ida.button('Pause').click();
    await ida.button('Resume').waitFor();
    expect((await connection().expect(200)).body.isEnabled).toBe(false);
    await stage.tenant.admin.patch(`/bots/${found.id}/connection`, { tools: [] }).expect(200);
    await ida.goTo(`bots/${found.id}`);
    await ida.button('Edit').click();
    // What the dialog doesn't show is tried as it's saved.
    await ida.dialog.getByRole('button', { name: 'Ask' }).click();
    await ida.dialog.getByText('It works.').waitFor();
    expect(models.at(-1)!.received.at(-1)!.event).not.toHaveProperty('tools');
    await ida.dialog.getByText('A key is stored.').waitFor();
    await ida.dialog.getByLabel('Model', { exact: true }).fill('m-2');
    await ida.dialog.getByText('More settings').click();
    await ida.dialog.getByLabel('Files, as links').check();
    await ida.dialog.getByLabel('The page that the visitor is on').uncheck();
    const pictures = process.env.LAYOUT_PICTURES;
    if (pictures) await ida.dialog.screenshot({ path: `${pictures}/connection-share.png` });
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    await ida.isTold('Saved');
    expect((await connection().expect(200)).body.share).toEqual(['groups', 'files']);
    expect((await connection().expect(200)).body).toMatchObject({ model: 'm-2', hasKey: true, isEnabled: false, url });
    await ida.button('Disconnect').click();
    await ida.dialog.getByRole('button', { name: 'Disconnect' }).click();
    await ida.isTold('Disconnected');
    await connection().expect(404);
    await ida.button('Connect an agent').waitFor();
  });

  it.each([
    ['an address in a network that bots may not use', 'http://10.0.0.1/v1', /address|network/i],
    ['no address', 'just words', /url|address/i],
  ])('%s is refused at its field, and nothing typed is lost', async (_, url, words) => {
    const ida = await begin(url);
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    const field = ida.dialog.getByLabel('Address', { exact: true });
    await ida.dialog.locator('.fault').filter({ hasText: words }).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect([await field.inputValue(), await ida.dialog.getByLabel('Model', { exact: true }).inputValue()]).toEqual([
      url,
      'm-1',
    ]);
  });
});
