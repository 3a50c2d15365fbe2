import { describe, expect, it } from '@jest/globals';
import { findViolations } from './support/axe.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe('a bot with a script in the console', () => {
  const stage = Stage.set();

  const bots = async (): Promise<any[]> => (await stage.tenant.admin.get('/bots').expect(200)).body.bots;
  const removeBots = async () => {
    for (const { id } of await bots()) await stage.tenant.admin.delete(`/bots/${id}`).expect(204);
  };

  it('one click in the first steps makes a bot that answers visitors, and hands over', async () => {
    await removeBots();
    const ida = await Office.open(stage, 'setup');
    expect(await findViolations(ida.desk.visit)).toEqual([]);
    await ida.button('Start with a simple bot').click();
    await ida.isTold('The bot answers from now on');
    await ida.page.getByText('The built-in script').waitFor();
    const [bot] = await bots();
    expect(bot).toMatchObject({ name: 'Assistant', isAi: false, onlyOwnChats: true, hasConnection: true });
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await visit.button('Talk to a person').click();
    const bye = 'Thank you. I’m connecting you with our team.';
    await visit.sees('Hello', 'What can we help you with?', 'Talk to a person', bye);
    await ida.goTo('setup');
    await ida.page.getByText('A bot was active').waitFor();
    expect(await ida.button('Start with a simple bot').count()).toBe(0);
    expect(ida.complaints).toEqual([]);
  });

  it('steps of its own are written, tried, and saved', async () => {
    await removeBots();
    const ida = await Office.open(stage, 'bots');
    await ida.button('New bot').click();
    await ida.page.getByLabel('Name').fill('Robin');
    await ida.dialog.getByText('Fixed answers with buttons').click();
    await ida.button('Add bot').click();
    await ida.dialog.getByText('My own steps').click();
    const step = (number: number) => ida.dialog.locator('.script-step').nth(number - 1);
    await step(1).getByLabel('Message').fill('How can I help?');
    await step(1).getByLabel('Button', { exact: true }).first().fill('Opening hours');
    await ida.dialog.getByRole('button', { name: 'Add step' }).click();
    await step(3).getByText('No choice and no keyword leads here.').waitFor();
    await step(3).getByLabel('Message').fill('From 9 to 5.');
    await step(3).getByLabel('What follows').selectOption({ label: 'Nothing' });
    await step(1).getByLabel('Leads to').first().selectOption({ label: 'Step 3: From 9 to 5.' });
    expect(await step(3).getByText('No choice and no keyword leads here.').count()).toBe(0);
    expect(await findViolations(ida.desk.visit)).toEqual([]);
    await ida.dialog.getByRole('button', { name: 'Ask' }).click();
    await ida.dialog.locator('.try-choices').getByText('Opening hours').waitFor();
    await ida.dialog.getByRole('button', { name: 'Move Step 3 up' }).click();
    await ida.dialog.getByRole('button', { name: 'Remove Step 3' }).click();
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    await ida.isTold('Connected.');
    const [bot] = await bots();
    const connection = () => stage.tenant.admin.get(`/bots/${bot.id}/connection`);
    expect((await connection().expect(200)).body.script.steps).toEqual([
      {
        id: 'step-1',
        text: 'How can I help?',
        choices: [
          { label: 'Opening hours', next: { action: 'step', step: 'step-3' } },
          { label: 'Talk to a person', next: { action: 'hand_over' } },
        ],
      },
      { id: 'step-3', text: 'From 9 to 5.' },
    ]);
    expect(bot.isAi).toBe(false);
    await ida.page.getByText('2 steps').waitFor();
    await ida.button('Edit').click();
    await step(2).getByLabel('What follows').selectOption({ label: 'It goes on immediately' });
    await step(2).getByLabel('Leads to').selectOption({ label: 'Step 2: From 9 to 5.' });
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    await step(2).getByText('Steps must not lead in a circle').waitFor();
    await step(2).getByLabel('Leads to').selectOption({ label: 'Close the chat' });
    await step(1).getByLabel('Button', { exact: true }).first().fill('talk to a PERSON');
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    await step(1).getByText('that no other button of this step has').waitFor();
    await step(1).getByLabel('Button', { exact: true }).first().fill('Hours');
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    await ida.isTold('Saved');
    expect((await connection().expect(200)).body.script.steps[1].next).toEqual({ action: 'close' });
  });
});
