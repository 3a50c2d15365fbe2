import { beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { eventually } from '../support/eventually.js';
import { inRepository } from '../support/example.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

/** A script of an installed package. */
const read = (path: string) => readFileSync(inRepository(`node_modules/${path}`), 'utf8');

const FIELD = '<input id="theirs" aria-label="Newsletter">';
const MODAL = `<div id="modal" class="modal" tabindex="-1"><div class="modal-dialog"><div class="modal-content">${FIELD}
<button id="close">OK</button></div></div></div>`;

/** Pages that keep the focus in a window of their own, by who wrote them: scripts, and what opens the window. */
const TRAPS: Record<string, { scripts?: string[]; body?: string; open: string }> = {
  'Bootstrap 5': {
    scripts: ['bootstrap/dist/js/bootstrap.bundle.min.js'],
    body: MODAL,
    open: 'new bootstrap.Modal("#modal").show()',
  },
  'focus-trap': {
    scripts: ['tabbable/dist/index.umd.js', 'focus-trap/dist/focus-trap.umd.js'],
    body: MODAL,
    open: 'focusTrap.createFocusTrap("#modal").activate()',
  },
  'focus-trap with allowOutsideClick': {
    scripts: ['tabbable/dist/index.umd.js', 'focus-trap/dist/focus-trap.umd.js'],
    body: MODAL,
    open: 'focusTrap.createFocusTrap("#modal", { allowOutsideClick: true }).activate()',
  },
  Micromodal: {
    scripts: ['micromodal/dist/micromodal.min.js'],
    body: `<div id="modal" aria-hidden="true"><div role="dialog">${FIELD}<button>OK</button></div></div>`,
    open: 'MicroModal.show("modal")',
  },
  'vanilla-cookieconsent': {
    scripts: ['vanilla-cookieconsent/dist/cookieconsent.umd.js'],
    body: FIELD,
    open: `CookieConsent.run({
      disablePageInteraction: true, autoShow: true, categories: { necessary: { enabled: true } },
      language: { default: 'en', translations: { en: { consentModal: { title: 'Cookies', acceptAllBtn: 'Yes' },
        preferencesModal: { sections: [] } } } },
    })`,
  },
  'a hand-written listener to focusin': {
    body: FIELD,
    open: `document.addEventListener('focusin', ({ target }) => target !== theirs && theirs.focus()); theirs.focus()`,
  },
  'a captured listener to focus, as of old jQuery': {
    body: FIELD,
    open: `document.addEventListener('focus', ({ target }) => target !== theirs && theirs.focus(), true); theirs.focus()`,
  },
  'a consent banner that takes the focus back when it loses it': {
    body: FIELD,
    open: `theirs.addEventListener('blur', () => setTimeout(() => theirs.focus())); theirs.focus()`,
  },
  'a newsletter that takes the focus while the visitor writes': {
    body: FIELD,
    open: `let written = 0; setInterval(() => ++written < 14 && theirs.focus(), 150)`,
  },
};

/** Pages with keyboard shortcuts for letters, digits, `/`, and the space bar, which count in `window.fired`. */
const SHORTCUTS: Record<string, { scripts?: string[]; body?: string; install: string }> = {
  'a guard by the tag of the target': {
    install: `addEventListener('keydown', (event) => {
      if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
      if (event.key === '/') theirs.focus();
      if (/[ /?ab12]/.test(event.key)) { window.fired++; event.preventDefault(); }
    })`,
  },
  'a listener of the document, before the target': {
    install: `document.addEventListener('keydown', (event) => {
      if (!/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) { window.fired++; event.preventDefault(); }
    }, true)`,
  },
  DocSearch: {
    scripts: ['@docsearch/js/dist/umd/docsearch.js'],
    body: '<div id="search"></div>',
    install: `(window.docsearch.default ?? docsearch)({ container: '#search', appId: 'A', apiKey: 'k', indexName: 'i' })`,
  },
  'hotkeys-js': {
    scripts: ['hotkeys-js/dist/hotkeys-js.min.js'],
    install: `hotkeys('a,b,/,space,1', () => window.fired++ < 0)`,
  },
  mousetrap: {
    scripts: ['mousetrap/mousetrap.min.js'],
    install: `Mousetrap.bind(['a', 'b', '/', 'space', '1'], () => window.fired++ < 0)`,
  },
  tinykeys: {
    scripts: ['tinykeys/dist/tinykeys.umd.js'],
    install: `tinykeys.tinykeys(window, Object.fromEntries(['a', 'b', '/', 'Space', '1'].map((key) =>
      [key, (event) => { window.fired++; event.preventDefault(); }])))`,
  },
  'a barcode scanner that buffers keys': {
    install: `document.addEventListener('keypress', (event) => { window.fired++; event.preventDefault(); })`,
  },
  'a page that prevents input': {
    install: `for (const name of ['beforeinput', 'keyup', 'textInput']) document.addEventListener(name, (event) => {
      window.fired++; event.preventDefault(); }, true)`,
  },
};

describe("the widget's events on pages that listen to them", () => {
  const stage = Stage.set();
  let visit: Visit;

  const serve = (scripts: string[] = [], body = '') => {
    const paths = Object.fromEntries(scripts.map((path) => [`/${path}`, { script: read(path) }]));
    const tags = scripts.map((path) => `<script src="/${path}"></script>`).join('');
    Object.assign(stage.site.page, { paths, body: `<main><h1>A site</h1>${body}</main>${tags}` });
  };
  const run = <T = unknown>(code: string) => visit.page.evaluate<T>(code);
  const theirs = () => run<string>('document.querySelector("#theirs")?.value ?? ""');
  /** As a visitor does it, without the focus that Playwright would set. */
  const type = async (text: string) => {
    const { x, y, width, height } = (await visit.composer.boundingBox())!;
    await visit.page.mouse.click(x + width / 2, y + height / 2);
    await visit.page.keyboard.type(text, { delay: 20 });
  };

  it.each(Object.entries(TRAPS))('the visitor writes while the page has a focus trap of %s', async (_, trap) => {
    serve(trap.scripts, trap.body);
    visit = await stage.visit();
    await visit.open();
    await run(trap.open);
    await type('hello there');
    expect([await visit.composer.inputValue(), await theirs()]).toEqual(['hello there', '']);
    await visit.button('Send message').click();
    await visit.sees('hello there');
    await visit.button('Close chat').click();
    await visit.panel.waitFor({ state: 'hidden' });
    await visit.launcher.click();
    await visit.panel.waitFor();
  });

  it.each(Object.entries(SHORTCUTS))('what the visitor types starts no shortcut of %s', async (_, page) => {
    serve(page.scripts, FIELD + (page.body ?? ''));
    visit = await stage.visit();
    await run(`window.fired = 0; ${page.install}`);
    await visit.open();
    await type('a b 1/2 price?');
    expect([await visit.composer.inputValue(), await run('window.fired'), await theirs()]).toEqual([
      'a b 1/2 price?',
      0,
      '',
    ]);
    await visit.page.keyboard.press('Enter');
    await visit.sees('a b 1/2 price?');
    expect(await visit.page.locator('.DocSearch-Modal').count()).toBe(0);
  });

  describe('a long conversation', () => {
    const SCROLLERS: Record<string, { scripts?: string[]; install: string }> = {
      Lenis: { scripts: ['lenis/dist/lenis.min.js'], install: 'new Lenis({ autoRaf: true })' },
      'a page that prevents the wheel and fingers': {
        install: `for (const name of ['wheel', 'touchstart', 'touchmove']) for (const target of [window, document])
          target.addEventListener(name, (event) => event.preventDefault(), { passive: false, capture: target === document })`,
      },
    };
    const top = () => visit.panel.getByRole('region', { name: 'Messages' }).evaluate((view) => view.scrollTop);
    const talk = async ({ scripts, install }: (typeof SCROLLERS)[string], isTouch: boolean) => {
      serve(scripts, '<p style="height: 4000px">Long</p>');
      visit = await stage.visit({ hasTouch: isTouch });
      await visit.open();
      await visit.say('Hello');
      for (const count of [1, 2, 3]) await stage.say(`${count} ${'word\n'.repeat(30)}`);
      await visit.messages.nth(3).waitFor();
      await visit.panel
        .getByRole('region', { name: 'Messages' })
        .evaluate((view) => view.scrollTo(0, view.scrollHeight));
      await run(install);
    };

    it.each(Object.entries(SCROLLERS))('scrolls by the wheel on %s', async (_, page) => {
      await talk(page, false);
      const before = await top();
      await visit.messages.nth(3).hover();
      await visit.page.mouse.wheel(0, -250);
      await eventually(top, (now) => now < before - 100);
      expect(await run('scrollY')).toBe(0);
    });

    it.each(Object.entries(SCROLLERS))('scrolls by a finger on %s', async (_, page) => {
      await talk(page, true);
      const before = await top();
      const { x, y } = (await visit.panel.getByRole('region', { name: 'Messages' }).boundingBox())!;
      const client = await visit.context.newCDPSession(visit.page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
        client.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: at === undefined ? [] : [{ x: x + 100, y: y + at }],
        });
      await touch('touchStart', 50);
      for (let at = 60; at <= 300; at += 10) await touch('touchMove', at);
      await touch('touchEnd');
      await eventually(top, (now) => now < before - 100);
      expect(await run('scrollY')).toBe(0);
    });
  });

  it('the visitor copies, pastes, and selects on a page that prevents it', async () => {
    serve();
    visit = await stage.visit();
    await run(`for (const name of ['copy', 'cut', 'paste', 'selectstart', 'contextmenu', 'mousedown', 'dragstart'])
      for (const capture of [true, false]) document.addEventListener(name, (event) => event.preventDefault(), capture)`);
    await visit.open();
    await type('copy me');
    await visit.page.keyboard.press('Control+A');
    await visit.page.keyboard.press('Control+C');
    await visit.page.keyboard.press('End');
    await visit.page.keyboard.press('Control+V');
    expect(await visit.composer.inputValue()).toBe('copy mecopy me');
  });

  it.each(['', 'event.preventDefault();'])('a click that the page stops acts once: %s', async (more) => {
    serve();
    visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await stage.say(`See ${stage.site.url}/help`);
    const link = visit.panel.getByRole('link', { name: '/help' });
    await link.waitFor();
    await run(`document.addEventListener('click', (event) => { event.stopPropagation(); ${more} }, true)`);
    const pages: unknown[] = [];
    visit.context.on('page', (page) => pages.push(page));
    await link.click();
    await eventually(
      () => pages.length,
      (count) => count > 0,
    );
    // A second page would be open by the time that the next click has acted.
    await visit.button('Close chat').click();
    await visit.panel.waitFor({ state: 'hidden' });
    expect(pages).toHaveLength(1);
  });

  it('the page gets clicks and pointer events, by the element of the chat, and reads their path', async () => {
    serve();
    visit = await stage.visit();
    await run(`window.seen = {};
      for (const name of ['click', 'pointerdown', 'pointermove']) document.addEventListener(name, (event) => {
        const path = event.path ?? event.composedPath();
        window.seen[name] = event.target.localName + path.length;
        event.path.forEach((part) => part.className.split(' '));
      })`);
    await visit.open();
    await visit.say('Hello');
    const seen = await run<Record<string, string>>('window.seen');
    expect(
      Object.entries(seen)
        .map(([name, value]) => `${name} ${value.replace(/\d+/, '')}`)
        .sort(),
    ).toEqual(['click parley-widget', 'pointerdown parley-widget', 'pointermove parley-widget']);
  });

  it('the focus leaves the chat when the visitor goes elsewhere', async () => {
    serve([], `${FIELD}<button id="go" onclick="theirs.focus()">Search</button>`);
    visit = await stage.visit();
    await visit.open();
    await type('hello');
    await visit.page.locator('#go').click();
    await visit.page.keyboard.type('page');
    expect([await theirs(), await visit.composer.inputValue()]).toEqual(['page', 'hello']);
    await type(' again');
    await visit.page.locator('#theirs').click();
    await visit.page.keyboard.type('!');
    expect([(await theirs()).length, await visit.composer.inputValue()]).toEqual([5, 'hello again']);
  });

  describe('what began on the page', () => {
    const centerOf = async (element: {
      boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
    }) => {
      const { x, y, width, height } = (await element.boundingBox())!;
      return [x + width / 2, y + height / 2] as const;
    };
    const listenTo = (...names: string[]) =>
      run(`window.heard = []; for (const name of ${JSON.stringify(names)})
        document.addEventListener(name, (event) => heard.push(name + (event.key ?? '')))`);
    const heard = () => run<string[]>('heard');

    beforeEach(async () => {
      serve([], FIELD);
      visit = await stage.visit();
      await visit.open();
    });

    it('a drag of the page ends where the button is released, also over the chat', async () => {
      await listenTo('mousedown', 'mouseup');
      const { mouse } = visit.page;
      const place = await centerOf(visit.composer);
      await mouse.move(...(await centerOf(visit.page.locator('h1'))));
      await mouse.down();
      await mouse.move(...place);
      await mouse.up();
      expect(await heard()).toEqual(['mousedown', 'mouseup']);
      await mouse.down();
      await mouse.up();
      expect(await heard()).toHaveLength(2);
    });

    it('a key that was pressed on the page is released there, though the focus has moved into the chat', async () => {
      await visit.page.locator('h1').click();
      await listenTo('keydown', 'keyup');
      const { keyboard } = visit.page;
      await keyboard.down('w');
      await visit.composer.focus();
      await keyboard.down('w');
      await keyboard.up('w');
      expect(await heard()).toEqual(['keydownw', 'keyupw']);
      await keyboard.press('x');
      expect(await heard()).toHaveLength(2);
      expect(await visit.composer.inputValue()).toBe('wx');
    });
  });

  it.each(['mousetrap', 'hotkeys-js', 'a listener of the document, before the target'])(
    'after the chat is closed, the shortcuts of %s work, and Enter and the space bar open the chat again',
    async (name) => {
      const { scripts, body = '', install } = SHORTCUTS[name]!;
      serve(scripts, FIELD + body);
      visit = await stage.visit();
      await run(`window.fired = 0; ${install}`);
      await visit.open();
      for (const key of [' ', 'Enter']) {
        await visit.page.keyboard.press('Escape');
        await visit.panel.waitFor({ state: 'hidden' });
        const before = await run<number>('fired');
        await visit.page.keyboard.press('a');
        expect(await run('fired')).toBe(before + 1);
        await visit.page.keyboard.press(key);
        await visit.panel.waitFor();
        expect(await run('fired')).toBe(before + 1);
      }
    },
  );

  describe('a file', () => {
    /** Drops or pastes a file as a browser does, and returns whether the browser would open it. */
    const give = (event: string) =>
      run<boolean>(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(['x'], 'photo.png', { type: 'image/png' }));
        const all = { bubbles: true, composed: true, cancelable: true, clipboardData: data, dataTransfer: data };
        const given = '${event}' === 'paste' ? new ClipboardEvent('paste', all) : new DragEvent('${event}', all);
        return document.querySelector('parley-widget').shadowRoot.querySelector('textarea').dispatchEvent(given);
      })()`);

    beforeEach(async () => {
      serve();
      visit = await stage.visit();
      await run(`window.zone = 0; for (const name of ['dragenter', 'dragover', 'drop'])
        addEventListener(name, () => window.zone++)`);
      await visit.open();
    });

    it.each(['drop', 'paste'])('stays in the chat, which says that it takes none: %s', async (event) => {
      expect([await give('dragenter'), await give('dragover'), await give(event)].slice(1)).toEqual([false, false]);
      await visit.panel.getByRole('status').filter({ hasText: "Files can't be sent here" }).waitFor();
      expect(await run('window.zone')).toBe(0);
      await type('Text can');
      await visit.page.keyboard.press('Enter');
      await visit.sees('Text can');
      expect(await visit.panel.getByText("Files can't be sent here").count()).toBe(0);
    });
  });
});
