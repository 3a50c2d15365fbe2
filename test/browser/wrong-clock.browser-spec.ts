import { afterEach, describe, expect, it } from '@jest/globals';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const HOUR_MS = 3_600_000;

/** Office hours from `from` to `to` hours from now, each day. */
const around = (from: number, to: number) => {
  const time = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16);
  const interval = { from: time(from), to: time(to) };
  const spans =
    interval.from < interval.to
      ? [interval]
      : [
          { from: '00:00', to: interval.to },
          { from: interval.from, to: '24:00' },
        ].filter((span) => span.from !== span.to);
  return { timeZone: 'UTC', week: Object.fromEntries(DAYS.map((day) => [day, spans])), exceptions: [] };
};

describe("a visitor's clock that is wrong by hours", () => {
  const stage = Stage.set();
  let visit: Visit;
  afterEach(() => expect(visit.complaints).toEqual([]));

  const open = async (hours: number) => {
    visit = await stage.visit({}, 'about:blank');
    await visit.context.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${hours} * ${HOUR_MS}; }`);
    await visit.page.goto(stage.site.url);
    await visit.open();
  };

  it.each([-6, 6])('doesn’t decide whether the team is offline: %s hours', async (hours) => {
    // "Questions" make the welcome load in either case.
    await stage.tenant.admin.patch('/widget', { questions: ['Where is my order?'] }).expect(200);
    await stage.tenant.admin.patch('', { officeHours: around(-3, 3) }).expect(200);
    await open(hours);
    await visit.panel.getByRole('button', { name: 'Where is my order?' }).waitFor();
    expect(await visit.panel.locator('.opening').count()).toBe(0);
    await stage.tenant.admin.patch('', { officeHours: around(4, 10) }).expect(200);
    await open(hours);
    await visit.panel.locator('.opening').getByText('Our team is back').waitFor();
  });

  it.each([-30, 30])('doesn’t decide which day it is: %s hours', async (hours) => {
    visit = await stage.visit({}, 'about:blank');
    await visit.context.addInitScript(`{
      const Right = Date;
      const shift = ${hours * HOUR_MS};
      Date = class extends Right {
        constructor(...given) { if (given.length) super(...given); else super(Right.now() + shift); }
        static now() { return Right.now() + shift; }
      };
    }`);
    await visit.page.goto(stage.site.url);
    await visit.open();
    await visit.say('Hello');
    const days = () => visit.panel.locator('.day').allInnerTexts();
    expect(await days()).toEqual(['Today']);
    stage.road.cut();
    await visit.write('Still there?');
    await visit.panel.locator('.row:is(.queued, .sending)').waitFor();
    expect(await days()).toEqual(['Today']);
    // The browser reports each attempt to connect.
    visit.complaints.splice(0);
  });

  // The chat runs in a frame, because the page has changed `Date.now`. So the frame asks the page.
  it.each([-2, 2])('keeps the chat when it’s corrected: %s years', async (years) => {
    visit = await stage.visit({}, 'about:blank');
    const shift = years * 365 * 24 * HOUR_MS;
    await visit.context.addInitScript(
      `{ const now = Date.now; Date.now = () => now() + (top.location.hash === '#wrong' ? ${shift} : 0); }`,
    );
    await visit.page.goto(`${stage.site.url}#wrong`);
    await visit.open();
    await visit.say('Hello');
    await visit.page.goto('about:blank');
    await visit.page.goto(stage.site.url);
    await visit.open();
    await visit.panel.getByText('Hello', { exact: true }).waitFor();
    await visit.say('Are you there?');
    const { body } = await stage.tenant.admin.get('/chats').expect(200);
    expect(body.chats.filter(({ visitor }: any) => visitor.name === null)).toHaveLength(1);
  });

  it('renews the session in time by a clock that stays wrong', async () => {
    visit = await stage.visit({}, 'about:blank');
    await visit.context.addInitScript(
      `{ const now = Date.now; Date.now = () => now() + (top.location.hash === '#later' ? -345 : -365) * 24 * ${HOUR_MS}; }`,
    );
    await visit.page.goto(stage.site.url);
    await visit.open();
    await visit.say('Hello');
    await visit.page.goto('about:blank');
    const renewed = visit.page.waitForRequest((request) => request.url().endsWith('/api/visitor/sessions'));
    await visit.page.goto(`${stage.site.url}#later`);
    await visit.open();
    expect((await renewed).headers().authorization).toMatch(/^Bearer /);
    await visit.panel.getByText('Hello', { exact: true }).waitFor();
  });
});
