import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PNG } from '../support/pictures.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

/** Allows what the widget needs, and no pictures at all. */
const STRICT =
  "default-src 'none'; script-src {service}; connect-src {service} ws://127.0.0.1:*; require-trusted-types-for 'script'";

describe("the pictures of an organization's widget", () => {
  const stage = Stage.set();

  beforeEach(() => {
    stage.site.page.policy = STRICT;
    stage.site.page.head = '';
  });

  const choose = (settings: object) => stage.tenant.admin.patch('/widget', settings).expect(200);
  const set = (place: string) => stage.tenant.admin.put(`/widget/pictures/${place}`, { content: PNG }).expect(200);
  /** The color in the middle of a canvas. */
  const colorOf = (visit: Visit, selector: string) =>
    visit.page
      .locator(selector)
      .first()
      .evaluate((canvas: any) => [
        ...canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data,
      ]);
  const RED = [204, 34, 51, 255];
  /** The site has an icon, which its own policy refuses. */
  const ofWidget = (visit: Visit) => visit.complaints.filter((text) => !text.includes('picture.svg'));

  it("the button has the chosen icon, and the bot's messages the chosen picture, under a policy that allows no pictures", async () => {
    await choose({ launcherIcon: 'headset' });
    await set('bot');
    const visit = await stage.visit();
    await visit.page.locator('parley-widget .launcher .line').waitFor();
    await visit.open();
    await visit.say('Hello');
    await stage.say('Hi, I can help');
    await visit.panel.locator('.row.theirs .avatar canvas').waitFor();
    expect(await colorOf(visit, 'parley-widget .row.theirs .avatar canvas')).toEqual(RED);
    expect(await colorOf(visit, 'parley-widget header .avatar canvas')).toEqual(RED);
    expect(ofWidget(visit)).toEqual([]);
  });

  it('the button shows its picture until the chat is open, and then the arrow that closes it', async () => {
    await choose({ launcherIcon: 'smile', color: '#123456' });
    await set('launcher');
    const visit = await stage.visit();
    const picture = visit.page.locator('parley-widget .launcher .picture');
    await picture.waitFor();
    expect(await colorOf(visit, 'parley-widget .launcher .picture')).toEqual(RED);
    expect(await picture.boundingBox()).toEqual(await visit.launcher.boundingBox());
    await visit.open();
    await eventually(
      () => picture.evaluate((element) => `${element.computedStyleMap().get('opacity')}`),
      (opacity) => opacity === '0',
    );
    await visit.page.keyboard.press('Escape');
    await eventually(
      () => picture.evaluate((element) => `${element.computedStyleMap().get('opacity')}`),
      (opacity) => opacity === '1',
    );
    expect(ofWidget(visit)).toEqual([]);
  });

  it('a picture that cannot be loaded leaves the icon and the letter', async () => {
    for (const place of ['launcher', 'bot']) await set(place);
    const visit = await stage.visit({}, 'about:blank');
    let asked = 0;
    await visit.page.route(/\/pictures\//, (route) => {
      asked += 1;
      return route.fulfill({ status: 200, contentType: 'image/png', body: 'no picture' });
    });
    await visit.page.goto(stage.site.url);
    await visit.open();
    await visit.say('Hello');
    await stage.say('Hi');
    await eventually(
      () => Promise.resolve(asked),
      (count) => count === 2,
    );
    await visit.panel.locator('.row.theirs .avatar').getByText('B').waitFor();
    expect(await visit.page.locator('parley-widget canvas').count()).toBe(0);
    await visit.page.locator('parley-widget .launcher .chat').waitFor();
  });
});
