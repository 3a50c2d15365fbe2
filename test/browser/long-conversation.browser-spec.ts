import { afterEach, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';
import { eventually } from '../support/eventually.js';
import { type Visit } from './support/visit.js';

const COUNT = 120;
const VIEW = 'document.querySelector("parley-widget").shadowRoot.querySelector(".view")';

/** A visible message, and its position. */
interface Seen {
  id: string;
  top: number;
}

describe('a long conversation', () => {
  const stage = Stage.set();
  let visit: Visit;

  afterEach(() => expect(visit.complaints).toEqual([]));

  const fill = async (options: BrowserContextOptions = {}) => {
    visit = await stage.visit(options);
    await visit.open();
    await visit.say('Message 1');
    for (let place = 2; place <= COUNT; place++) await stage.say(`Message ${place}${'\nand more'.repeat(place % 3)}`);
    // Otherwise the unread divider is above after the reload, and the view starts there.
    const readMark = `SELECT max(seq)::int AS seq FROM chat_reads WHERE side = 'visitor' AND chat_id = $1`;
    const chatId = await stage.chatId();
    await eventually(
      async () => (await stage.parley.query<{ seq: number | null }>(readMark, [chatId]))[0]?.seq,
      (seq) => seq === COUNT,
    );
    await visit.page.reload();
    await visit.open();
    await eventually(
      () => visit.messages.last().innerText(),
      (text) => text.startsWith(`Message ${COUNT}`),
    );
  };
  /**
   * Scrolls, unless the number of messages differs, and returns a visible message and its position in the same task, so
   * that nothing loads in between.
   */
  const scrollTo = (top: string, shown: number) =>
    visit.page.evaluate<Seen | null>(`(() => {
      const rows = [...${VIEW}.querySelectorAll('[data-id]')];
      if (rows.length !== ${shown}) return null;
      ${VIEW}.scrollTop = ${top};
      const edge = ${VIEW}.getBoundingClientRect().top;
      const topOf = (row) => row.querySelector('.bubble').getBoundingClientRect().top;
      const row = rows.find((one) => topOf(one) > edge);
      return { id: row.dataset.id, top: topOf(row) };
    })()`);
  const movedBy = async ({ id, top }: Seen) =>
    Math.abs((await visit.panel.locator(`[data-id="${id}"] .bubble`).boundingBox())!.y - top);
  /** Scrolls up until more is loaded, again and again, like a hand. Returns how far the visible text has moved. */
  const readBack = async () => {
    const shown = await visit.messages.count();
    let seen: Seen;
    await eventually(
      () => scrollTo('0', shown),
      (next) => {
        if (next) seen = next;
        return !next;
      },
    );
    return movedBy(seen!);
  };
  const isAtEnd = () =>
    visit.page.evaluate<boolean>(`${VIEW}.scrollHeight - ${VIEW}.scrollTop - ${VIEW}.clientHeight < 2`);

  for (const [screen, options] of Object.entries({ desktop: {}, phone: PHONE })) {
    it(`earlier messages load page by page without moving the visible ones, on a ${screen}`, async () => {
      await fill(options);
      expect(await isAtEnd()).toBe(true);
      expect(await visit.messages.count()).toBeLessThan(COUNT);
      while ((await visit.messages.count()) < COUNT) expect(await readBack()).toBeLessThanOrEqual(1);
      const numbers = (await visit.messages.allInnerTexts()).map((text) => Number(/\d+/.exec(text)));
      expect(numbers).toEqual(Array.from({ length: COUNT }, (_, place) => place + 1));
      await visit.panel.locator('.earlier').waitFor({ state: 'detached' });
    });
  }

  it("a new message doesn't move the view of a visitor who reads above, and is announced", async () => {
    await fill();
    await readBack();
    const seen = await scrollTo(`${VIEW}.scrollHeight / 2`, await visit.messages.count());
    await stage.say('News');
    await visit.button('New messages').waitFor();
    expect(await movedBy(seen!)).toBeLessThanOrEqual(1);
    await visit.button('New messages').click();
    await eventually(isAtEnd, Boolean);
    await visit.button('New messages').waitFor({ state: 'detached' });
    await stage.say('More news');
    await visit.panel.getByText('More news').last().waitFor();
    await eventually(isAtEnd, Boolean);
  });

  it('the view moves to the end when the visitor sends a message', async () => {
    await fill();
    await readBack();
    await visit.say('Here I am');
    await eventually(isAtEnd, Boolean);
  });

  it("a conversation can be left while it's scrolled", async () => {
    await fill();
    await visit.button('Your chats').click();
    await visit.button('Back').click();
    await visit.messages.last().waitFor();
    await visit.page.evaluate(`{
      const view = ${VIEW};
      view.scrollTop -= 500;
      view.closest('.panel').querySelector('[aria-label="Your chats"]').click();
    }`);
    await visit.button('Back').waitFor();
    // The scroll event comes with the next frame.
    await visit.page.evaluate('new Promise(requestAnimationFrame)');
    expect(visit.complaints).toEqual([]);
  });
});
