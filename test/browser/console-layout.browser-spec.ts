import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk, deskWithChats, makeAgent, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

/** The sizes that the console is designed for; the last but one is 1280 by 800 at a zoom of 200 %. */
const SIZES = [
  [1440, 900],
  [1280, 800],
  [1180, 800],
  [1024, 768],
  [820, 1180],
  [700, 900],
  [640, 400],
  [390, 844],
  [320, 568],
] as const;
/** Low and narrow windows. The first is 1440 by 900 at a zoom of 200 %. */
const SMALL = [
  [720, 450],
  [1280, 600],
  [360, 400],
] as const;
/** From this width on, the details are beside the chat instead of over it. */
const BESIDE_FROM = 1280;

/** The buttons in these places that can't be clicked at their middle or at either end. The details scroll, so each of theirs is scrolled to first. */
const cutOff = (places: string) => `[...document.querySelectorAll('${places}')]
  .filter((button) => button.checkVisibility())
  .filter((button) => {
    if (button.closest('.details')) button.scrollIntoView({ block: 'nearest' });
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const isHit = [left + 2, (left + right) / 2, right - 2].every((x) => button.contains(document.elementFromPoint(x, middle)));
    return !isInside || !isHit;
  })
  .map((button) => [button.ariaLabel ?? button.textContent, innerWidth, JSON.stringify(button.getBoundingClientRect())].join(' '))`;
/** The buttons in these places that can't be clicked, each after it was scrolled to. */
const unreachable = (places: string) => `[...document.querySelectorAll('${places}')]
  .filter((button) => button.checkVisibility())
  .filter((button) => {
    button.scrollIntoView({ block: 'nearest' });
    const { left, right, top, bottom } = button.getBoundingClientRect();
    return !button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  })
  .map((button) => [button.ariaLabel || button.textContent, innerWidth, innerHeight].join(' '))`;
const goWithin = (path: string) =>
  `history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`;
const AT_WORK = cutOff('.pane-head button, .chat-foot button, .desk > .nav button');
const IN_DIALOG = cutOff('.dialog button');

describe('the console on every screen', () => {
  const stage = Stage.set();

  /** Waits until nothing is cut off: the layout follows the page's size a moment later. */
  const isWhole = async ({ page }: Desk, script: string) =>
    expect(
      await eventually(
        () => page.evaluate<string[]>(script),
        (names) => names.length === 0,
      ),
    ).toEqual([]);

  const showDetails = async ({ page }: Desk, areShown: boolean) => {
    const button = page.locator('.chat-head').getByRole('button', { name: /^(Hide d|D)etails$/ });
    if (((await button.getAttribute('aria-pressed')) === 'true') !== areShown) await button.click();
  };

  /** The open chat's actions, in the bar and in its menu. */
  const actions = async ({ page }: Desk): Promise<string[]> => {
    const named: string[] = await page
      .locator('.chat-actions > button:not([popovertarget])')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')!));
    const menu = page.locator('.chat-actions > button[popovertarget]');
    if ((await menu.count()) === 0) return named;
    await menu.click();
    await page.getByRole('menuitem').first().waitFor();
    const items = await page.getByRole('menuitem').allTextContents();
    await page.keyboard.press('Escape');
    return [...named, ...items];
  };

  it('no action of a chat is cut off, with and without the details', async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    const bob = await Desk.open(stage, { name: 'Bartholomäus Oberhuber-Schwarzenberger', role: 'AGENT' });
    const waiting = await anotherChat(stage, 'Waltraud with a name that is longer than a line', 'I wait');
    const others = await anotherChat(stage, 'Xenia', 'I am with Bob');
    await bob.goTo(others);
    await bob.button(/^Take chat/).click();
    const own = await waitingChat(stage);
    await sue.goTo(own);
    await sue.button(/^Take chat/).click();
    await sue.composer.waitFor();
    const expected: Record<string, string[]> = {
      [own]: ['Transfer…', 'End chat', 'Snooze…', 'Return to bot…', 'Return to queue'],
      [waiting]: ['Transfer…', 'End chat', 'Return to bot…', 'Follow'],
      [others]: ['Take over', 'Transfer…', 'End chat', 'Return to bot…', 'Follow'],
    };
    for (const [chatId, names] of Object.entries(expected)) {
      await sue.page.setViewportSize({ width: 1440, height: 900 });
      await sue.goTo(chatId, 'open');
      for (const [width, height] of SIZES) {
        await sue.page.setViewportSize({ width, height });
        if (width >= BESIDE_FROM) await showDetails(sue, false);
        await isWhole(sue, AT_WORK);
        // The bar and its menu share the buttons a moment after the size has changed.
        const shown = await eventually(
          () => actions(sue),
          (found) => found.length === names.length,
        );
        expect([width, shown.toSorted()]).toEqual([width, names.toSorted()]);
        await showDetails(sue, true);
        if (width >= BESIDE_FROM) {
          await sue.page.locator('.side').waitFor();
          await isWhole(sue, AT_WORK);
        } else {
          await sue.page.getByRole('dialog', { name: 'Details' }).waitFor();
          await isWhole(sue, IN_DIALOG);
          await sue.page.keyboard.press('Escape');
        }
        const fits = 'document.documentElement.scrollWidth <= innerWidth';
        expect([width, await sue.page.evaluate(fits)]).toEqual([width, true]);
      }
    }
  });

  it('an offer covers no button of a chat with a long draft, of a dialog, or of the details in a low or narrow window', async () => {
    const { ada } = await deskWithChats(stage, ['Lea']);
    await makeAgent(stage, { name: 'Ben' });
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    const offering = { routing: 'OFFER', offerSeconds: 600, maxPendingOffers: 10 };
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, offering).expect(200);
    await ada.composer.fill('A long answer\n'.repeat(40));
    await anotherChat(stage, 'Olga', 'My parcel is broken, and I have no words for it. '.repeat(9));
    await anotherChat(stage, 'Otto', 'Help');
    await ada.page.locator('.offer-more').waitFor();
    const isReached = async (places: string) => {
      for (const [width, height] of SMALL) {
        await ada.page.setViewportSize({ width, height });
        await isWhole(ada, unreachable(`.offer button, ${places}`));
      }
    };
    await isReached('.composer button, .composer textarea, .chat-head button');
    await ada.page.setViewportSize({ width: 1180, height: 800 });
    await ada.page.locator('.chat-head').click({ position: { x: 2, y: 2 } });
    await ada.page.keyboard.press('t');
    const dialog = ada.page.getByRole('dialog', { name: 'Transfer chat' });
    await dialog.getByText('Ben').click();
    await isReached('.dialog-body button, .dialog-body input, .dialog-body summary');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await ada.page.setViewportSize({ width: 720, height: 450 });
    await ada.button('Details').click();
    await ada.page.getByRole('dialog', { name: 'Details' }).waitFor();
    await isWhole(ada, unreachable('.offer button, .dialog-body button, .dialog-body summary'));
  });

  it('the page itself never scrolls, even when the navigation does', async () => {
    for (const name of ['Sales', 'Returns', 'Billing', 'Wholesale', 'Press'])
      await stage.tenant.admin.post('/groups', { name }).expect(201);
    const ida = await Desk.open(stage, { name: 'Ida', role: 'ADMIN' });
    await ida.goTo(await waitingChat(stage));
    for (const [width, height] of [...SIZES, [960, 420] as const]) {
      await ida.page.setViewportSize({ width, height });
      await ida.page.evaluate('document.querySelector(".nav")?.scrollTo(0, 10_000)');
      const page = 'document.documentElement';
      expect([width, await ida.page.evaluate(`${page}.scrollHeight <= innerHeight`)]).toEqual([width, true]);
      const moved = `${page}.scrollTop = 500, document.querySelector('.desk').scrollTop = 500, [${page}.scrollTop, document.querySelector('.desk').scrollTop]`;
      expect([width, await ida.page.evaluate(moved)]).toEqual([width, [0, 0]]);
    }
  });

  it('a chat looks the same after other pages were opened, which load more styles', async () => {
    const ida = await Desk.open(stage, { name: 'Ida', role: 'ADMIN' });
    const { page } = ida;
    const chatId = await waitingChat(stage);
    const image = { type: 'IMAGE', metadata: { url: `${stage.site.url}/picture.svg`, alt: 'A tent' } };
    await stage.tenant.bot.post('/messages', { chatId, content: 'A tent', ...image }).expect(200);
    await ida.goTo(chatId);
    await ida.button(/^Take chat/).click();
    await ida.composer.waitFor();
    await page.locator('.conversation .words').first().waitFor();
    // What arrives on its own moves the rest.
    await page.locator('.side .visitor-chat .mark.own').waitFor();
    // The beginning, the day, the transfer, and the taking.
    await page.locator('.transcript .line-middle').nth(3).waitFor();
    await page.locator('.transcript .receipt').waitFor();
    await eventually(
      () => page.evaluate<boolean>(`document.querySelector('.conversation .picture img')?.complete === true`),
      Boolean,
    );
    // The bar of formats, which is loaded later, has room of its own.
    const boxes = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('.chat *, .side *, .list-head *')]
        .filter((one) => !one.closest('.format-bar')).map((one) => { const { x, width, height } = one.getBoundingClientRect(); return [one.localName, one.className, x, width, height].join(); })`);
    const before = await boxes();
    for (const path of ['admin/people', 'overview', 'reports', 'mentions', 'replies']) {
      await page.evaluate(goWithin(`/console/${path}`));
      await page.locator('.page-body').first().waitFor();
    }
    await page.evaluate(goWithin(`/console/mine/${chatId}`));
    await ida.composer.waitFor();
    const changed = async () => {
      const now = await boxes();
      if (JSON.stringify(now) === JSON.stringify(before)) return null;
      return [before.filter((box) => !now.includes(box)), now.filter((box) => !before.includes(box))];
    };
    await eventually(changed, (found) => found === null);
  });

  it('the hint in the empty field is shown whole in German on the narrowest screen', async () => {
    const ada = await Desk.open(stage, {}, { viewport: { width: 320, height: 568 } });
    const chatId = await waitingChat(stage);
    await ada.page.evaluate(`localStorage.setItem('parley:console:language', 'de')`);
    await ada.goTo(chatId);
    await ada.button('Notiz hinzufügen').click();
    const field = ada.page.locator('.composer textarea');
    await field.waitFor();
    const heights = (await field.evaluate((element: any) => {
      const empty = element.clientHeight;
      element.value = element.placeholder;
      const needed = element.scrollHeight;
      element.value = '';
      return { empty, needed };
    })) as { empty: number; needed: number };
    expect(heights.empty).toBeGreaterThanOrEqual(heights.needed);
  });
});
