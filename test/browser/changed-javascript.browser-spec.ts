import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

/** What pages and old libraries do to JavaScript, before or after the widget's script runs. */
const CHANGES = {
  'toJSON of arrays, as Prototype.js 1.6': `Array.prototype.toJSON = function () { return '[' + this.join() + ']'; }`,
  'toJSON of strings': `String.prototype.toJSON = function () { return '"' + this + '"'; }`,
  'toJSON of dates': `Date.prototype.toJSON = () => { throw Error('no'); }`,
  'toJSON of everything': `Object.prototype.toJSON = () => 'nothing'`,
  'JSON.stringify': `JSON.stringify = () => 'nothing'`,
  'JSON.parse': `JSON.parse = () => { throw Error('no'); }`,
  'no JSON': `delete window.JSON`,
  'find that takes a value': `Array.prototype.find = function (item) { return this.indexOf(item); }`,
  'Array.from, as MooTools': `Array.from = (item) => (item == null ? [] : item instanceof Array ? item : [item])`,
  'map, as an old library': `Array.prototype.map = function (each) { const all = []; for (const i in this) all.push(each(this[i])); return all; }`,
  filter: `Array.prototype.filter = () => []`,
  'includes of strings that takes a separator': `String.prototype.includes = function (text, separator) { return (separator + this + separator).indexOf(separator + text) > -1; }`,
  trim: `String.prototype.trim = function () { return ''; }`,
  'at of arrays, as a polyfill that knows no negative numbers': `Array.prototype.at = function (index) { return this[index]; }`,
  'enumerable members of arrays': `Array.prototype.each = function () {}; Array.prototype.last = function () {}`,
  'enumerable members of objects': `Object.prototype.extend = function () {}; Object.prototype.keys = function () {}`,
  'Object.keys': `Object.keys = () => []`,
  'Object.entries': `Object.entries = () => []`,
  'Object.assign': `Object.assign = (to) => to`,
  'a Promise without finally': `window.Promise = class { constructor(run) { this.done = []; run((value) => this.done.forEach((f) => f(value))); } then(f) { this.done.push(f); } }`,
  'Promise.race': `Promise.race = () => new Promise(() => {})`,
  Set: `window.Set = function () { this.items = []; }`,
  Map: `window.Map = function () {}`,
  'queueMicrotask is missing': `delete window.queueMicrotask`,
  'fetch that fails': `window.fetch = () => Promise.reject(Error('no'))`,
  'fetch that never answers': `window.fetch = () => new Promise(() => {})`,
  'fetch that answers with text': `window.fetch = () => Promise.resolve('text')`,
  'no fetch': `delete window.fetch`,
  'matchMedia is missing': `delete window.matchMedia`,
  'crypto is missing': `Object.defineProperty(window, 'crypto', { value: undefined })`,
  'Intl is missing': `delete window.Intl`,
  'URLSearchParams is missing': `delete window.URLSearchParams`,
  'AbortSignal is missing': `delete window.AbortSignal`,
  'TextDecoder is missing': `delete window.TextDecoder`,
  'append of elements': `Element.prototype.append = function (text) { this.innerHTML += text; }`,
  'remove of elements, as Prototype.js': `HTMLElement.prototype.remove = Element.prototype.remove = function () { this.parentNode.removeChild(this); return this; }`,
  'URL, as an old polyfill': `{ const Right = URL; window.URL = class extends Right { get pathname() { return ''; } }; }`,
  'WebSocket that fails': `window.WebSocket = class { constructor() { throw Error('no'); } }`,
  'AbortController, as an old polyfill': `window.AbortController = class { signal = {}; abort() {} }`,
  'ResizeObserver that fails': `window.ResizeObserver = class { observe() { throw Error('no'); } disconnect() {} }`,
  'Date.now': `Date.now = () => '0'`,
};

describe('the widget on pages that change JavaScript', () => {
  const stage = Stage.set();
  let lines: string[];

  beforeEach(() => {
    lines = [];
  });

  /** Waits for a bubble. Reading texts needs what the page has changed. */
  const sees = (visit: Visit, text: string) => visit.messages.getByText(text, { exact: true }).waitFor();
  /** The page runs `code` before the widget's script, and `later` before the chat is opened. */
  const chatOn = async (code: string, more = {}, later = '') => {
    Object.assign(stage.site.page, { head: `<script>${code}</script>`, ...more });
    const visit = await stage.visit({}, 'about:blank');
    visit.page.on('console', (message) => {
      if (message.text().startsWith('Parley: ')) lines.push(message.text());
    });
    await visit.page.goto(stage.site.url);
    await visit.launcher.waitFor();
    await visit.page.evaluate(later);
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.composer.fill('Hello');
    await visit.composer.press('Enter');
    await sees(visit, 'Hello');
    await eventually(
      () => stage.stored().catch(() => []),
      ({ length }) => length === 1,
    );
    await stage.say('**Hi**', { type: 'QUICK_REPLY', metadata: { options: [{ label: 'Small', value: 's' }] } });
    await visit.panel.locator('strong').getByText('Hi').waitFor();
    await visit.button('Small').click();
    await sees(visit, 'Small');
    await visit.panel.getByText(/Sent$/).waitFor();
    return visit;
  };

  it.each(Object.entries(CHANGES))('the visitor chats: %s', async (_, code) => {
    const visit = await chatOn(code);
    expect(lines).toEqual([]);
    await visit.close();
  });

  it.each(['fetch that fails', 'JSON.stringify', 'Array.from, as MooTools', 'WebSocket that fails'] as const)(
    'the visitor chats on a page that changes it after the widget has loaded, and before the chat: %s',
    async (name) => {
      const visit = await chatOn('', {}, CHANGES[name]);
      expect(lines).toEqual([]);
      await visit.close();
    },
  );

  it('the chat closes by Back, and stays on the next page', async () => {
    const visit = await chatOn(CHANGES['JSON.stringify']);
    await visit.page.setViewportSize({ width: 390, height: 844 });
    await visit.button('Close chat').click();
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.page.goBack();
    await visit.composer.waitFor({ state: 'hidden' });
    await stage.say('Still here?');
    await visit.page.waitForFunction(
      `document.querySelector('parley-widget').shadowRoot.querySelector('.badge').dataset.mark === '1'`,
    );
    await visit.page.reload();
    await visit.launcher.click();
    await sees(visit, 'Still here?');
  });

  it('it has one frame after parts of it have failed to load', async () => {
    Object.assign(stage.site.page, { head: `<script>${CHANGES['JSON.stringify']}</script>` });
    const visit = await stage.visit({}, 'about:blank');
    let failures = 2;
    await visit.context.route(/\/widget\/panel\./, (route) => (failures-- > 0 ? route.abort() : route.continue()));
    await visit.page.goto(stage.site.url);
    await eventually(
      async () => {
        if (!(await visit.composer.isVisible())) await visit.launcher.click();
        return visit.composer.isVisible();
      },
      (isVisible) => isVisible,
    );
    expect(failures).toBeLessThanOrEqual(0);
    expect(await visit.page.locator('iframe[aria-hidden=true]').count()).toBe(1);
  });

  it('a strict policy allows it', async () => {
    const visit = await chatOn(`Array.from = () => []`, {
      head: `<script nonce="n1">Array.from = () => []</script>`,
      attributes: `data-widget-key="${stage.tenant.widgetKey}" nonce="n1"`,
      policy: `default-src 'none'; script-src 'nonce-n1' 'strict-dynamic'; connect-src {service} ws:; img-src 'self' data:; require-trusted-types-for 'script'`,
    });
    expect(visit.complaints).toEqual([]);
  });

  it('a sandboxed page, which allows no frame of its origin, says in one line what it has changed', async () => {
    await chatOn(`Array.prototype.mine = () => 1`, { policy: 'sandbox allow-scripts' });
    expect(lines).toEqual([
      'Parley: the page has changed Array: mine in JavaScript, and allows no frame. The chat may not work',
    ]);
  });
});
