// Makes the pictures of the documentation: starts the built service with a demo shop, opens its pages in Chromium, and writes
// docs/images/NAME-light.webp and NAME-dark.webp in double resolution.
//
//   npm run pictures              all
//   npm run pictures -- inbox     only these
//   npm run pictures -- film      only the README's moving picture, which needs `img2webp` (Debian's package `webp`)
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchChromium } from '../bench/setup/chromium.mjs';
import { startPostgres } from '../bench/setup/database.mjs';
import { onEnd, runToEnd } from '../bench/setup/ending.mjs';
import { runParley } from '../bench/setup/parley.mjs';
import { makeFilm } from './pictures/film.mjs';
import { fillShop } from './pictures/shop.mjs';

const IMAGES = new URL('../docs/images/', import.meta.url).pathname;
/** The most bytes of a picture: a page with several of them stays fast. */
const MAX_BYTES = 150_000;
/** Tried in this order. 1 is lossless, which is smallest for pages with few colors. */
const QUALITIES = [1, 0.92, 0.85, 0.75, 0.6, 0.5];
const SECRETS = { ADMIN_TOKEN: 'pictures-admin-token', SECRET_KEY: 'pictures-secret-key-of-the-demo-shop' };

async function main() {
  const directory = await mkdtemp(join(tmpdir(), 'parley-pictures-'));
  onEnd(() => rm(directory, { recursive: true, force: true }));
  const browser = await launchChromium();
  const postgres = await startPostgres(join(directory, 'database'));
  const bench = { settings: { ...SECRETS, DATA_DIR: directory, NODE_ENV: 'development', DEMO: '1' } };
  const parley = await runParley(bench, await postgres.createDatabase('pictures'), {});
  const demo = await readDemo(join(directory, 'demo.json'));
  const shop = await fillShop(parley, demo);
  const wanted = process.argv.slice(2);
  const failed = [];
  for (const [name, take] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const options = { ...VIEWS[name], deviceScaleFactor: 2, reducedMotion: 'reduce', locale: 'en-GB' };
    const context = await browser.newContext(options);
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    try {
      const shots = await take({ page, context, parley, demo, shop });
      for (const [scheme, png] of Object.entries(shots)) await save(browser, `${name}-${scheme}`, png);
    } catch (error) {
      // The others are made all the same.
      failed.push(`${name}: ${error.message}`);
    }
    await context.close();
  }
  if (wanted.length === 0 || wanted.includes('film')) {
    const open = { signIn, demo: openDemo };
    await makeFilm(browser, { parley, demo, shop }, open, join(IMAGES, 'film.webp')).catch((error) =>
      failed.push(`film: ${error.message}`),
    );
  }
  if (failed.length > 0) throw new Error(failed.join('\n'));
}

/** The demo's ids and token. The service writes them right after it's ready. */
async function readDemo(path) {
  for (const deadline = Date.now() + 10_000; ; await sleep(100)) {
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text?.endsWith('}\n') || text?.endsWith('}')) return JSON.parse(text);
    if (Date.now() > deadline) throw new Error('the service made no demo');
  }
}

/** Writes a picture as WebP, which Chromium encodes. @throws Error if it's too large */
async function save(browser, name, png) {
  const page = await browser.newPage();
  for (const quality of QUALITIES) {
    const webp = await page.evaluate(toWebp, [png.toString('base64'), quality]);
    const bytes = Buffer.from(webp, 'base64');
    if (bytes.length > MAX_BYTES) continue;
    await writeFile(join(IMAGES, `${name}.webp`), bytes);
    console.log(`${name}.webp ${Math.round(bytes.length / 1000)} kB`);
    return page.close();
  }
  await writeFile(join(tmpdir(), `${name}.png`), png);
  throw new Error(`${name} has more than ${MAX_BYTES} bytes: see ${join(tmpdir(), `${name}.png`)}`);
}

/** Runs in the page. */
async function toWebp([base64, quality]) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(',')[1]);
    reader.readAsDataURL(blob);
  });
}

const CONSOLE = { viewport: { width: 1360, height: 820 } };
const PHONE = { viewport: { width: 390, height: 640 } };
/** How large the window of each picture is. */
const VIEWS = {
  chat: { viewport: { width: 1280, height: 800 } },
  inbox: CONSOLE,
  offer: { viewport: { width: 1280, height: 720 } },
  group: { viewport: { width: 1280, height: 860 } },
  overview: { viewport: { width: 1280, height: 900 } },
  offline: PHONE,
  failed: PHONE,
  closed: PHONE,
  rtl: PHONE,
  empty: PHONE,
};

/** What leads to each picture. */
const PICTURES = {
  async chat(at) {
    const say = await openDemo(at);
    await say.visitor('Hello! Is the Sidamo back?');
    await say.bot(
      'Hello! It arrived **this morning**:\n\n- 250 g for 11 €, 1 kg for 38 €\n- roasted on Tuesday\n- tastes of peach and jasmine',
    );
    await say.bot('How do you brew?', {
      type: 'QUICK_REPLY',
      metadata: { options: ['Filter', 'Espresso', 'It depends'].map((label) => ({ label, value: label })) },
    });
    await at.page.getByRole('button', { name: 'It depends' }).waitFor();
    return shoot(at);
  },
  async inbox(at) {
    await signIn(at, `open/${at.shop.main}`);
    await at.page.locator('.conversation .words').filter({ hasText: 'I have a screwdriver' }).scrollIntoViewIfNeeded();
    return shoot(at);
  },
  async offer(at) {
    const { admin, idOf } = at.shop;
    await admin(`/groups/${idOf('Support')}`, { routing: 'OFFER', offerSeconds: 120 }, 'PATCH');
    await signIn(at, `mine/${at.shop.main}`);
    await at.shop.people.get('Ada').api('/presence', { isAccepting: true }, 'PUT');
    await at.page
      .getByRole('button', { name: /^Accept/ })
      .first()
      .waitFor();
    await at.page.locator('.conversation .words').last().waitFor();
    const shots = await shoot(at);
    await admin(`/groups/${idOf('Support')}`, { routing: 'MANUAL' }, 'PATCH');
    await at.shop.people.get('Ada').api('/presence', { isAccepting: false }, 'PUT');
    return shots;
  },
  async group(at) {
    await signIn(at, `admin/groups/${at.shop.idOf('Support')}`);
    await at.page.getByText('Members').first().waitFor();
    await isRead(at);
    return shoot(at);
  },
  async overview(at) {
    await signIn(at, 'overview');
    await isRead(at);
    await at.page.getByText('30 days', { exact: true }).click();
    await at.page.getByText('Last 30 days').waitFor();
    await isRead(at);
    return shoot(at);
  },
  async offline(at) {
    const say = await openWidget(at);
    await say.visitor('Where is my parcel? Order 4711');
    await say.bot('It’s in Hanover, and arrives tomorrow.');
    await at.page.locator('parley-widget .bubble').filter({ hasText: 'arrives tomorrow' }).waitFor();
    await at.context.setOffline(true);
    await say.write('Great!');
    await say.write('Can the neighbor take it?');
    await at.page
      .getByText(/Reconnecting|Connecting/)
      .first()
      .waitFor();
    return shoot(at);
  },
  async failed(at) {
    const say = await openWidget(at);
    await say.visitor('Hello! I’d like to report a bug');
    await at.page.evaluate(
      (text) => globalThis.Parley('send', text),
      `Here’s the log:\n${'at Grinder.turn (grinder.js:42)\n'.repeat(170)}`,
    );
    await at.page.getByText('Not sent').waitFor();
    await say.visitor('It was too long, I think');
    return shoot(at);
  },
  async closed(at) {
    const say = await openWidget(at);
    await say.visitor('All good now, thank you!');
    await say.bot('You’re welcome. Enjoy the coffee!');
    await at.shop.admin(`/chats/${await say.chatId()}`, { status: 'CLOSED' }, 'PATCH');
    await at.page.getByRole('button', { name: /new chat|Start again/i }).waitFor();
    return shoot(at);
  },
  async rtl(at) {
    const say = await openWidget(at, { locale: 'ar' });
    await say.visitor('هل تشحنون إلى عمّان؟');
    await say.bot(
      'نعم! الشحن إلى عمّان:\n\n1. يستغرق من **5 إلى 7 أيام**\n2. رسومه 9 يورو\n3. ومجاني ابتداءً من 60 يورو',
    );
    await at.page.locator('parley-widget .bubble').filter({ hasText: '60' }).waitFor();
    return shoot(at);
  },
  async empty(at) {
    await openWidget(at);
    return shoot(at);
  },
};

/** Takes the page in light and dark. Fades have ended, and no caret blinks. */
async function shoot({ page }) {
  const shots = {};
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => document.fonts.ready);
    shots[colorScheme] = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  }
  return shots;
}

/** Waits until a page of the console shows its data. */
async function isRead({ page }) {
  await page.locator('.page-body').first().waitFor();
  await page.locator('.page-body[aria-busy=true], .skeleton').first().waitFor({ state: 'detached' });
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** Signs Ada in to the console, at this path. */
async function signIn({ page, parley, shop }, path) {
  const { url } = await shop.admin(`/agents/${shop.people.get('Ada').id}/sign-in-links`, {});
  await page.goto(`${parley.url}/console/link${new URL(url).hash}`);
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.locator('.desk').waitFor();
  await page.goto(`${parley.url}/console/${path}`);
  await page.locator('.desk, .page-body').first().waitFor();
}

/** The demo's page with its own visitor. */
async function openDemo(at) {
  const { page, parley, demo } = at;
  await page.goto(`${parley.url}/demo#key=${demo.key}`);
  return openPanel(at, async () => demo.chatId);
}

/** A page with the widget and nothing else, and an anonymous visitor. */
async function openWidget(at, settings = {}) {
  const { page, parley, shop } = at;
  const { widgetKey } = await shop.admin('');
  const attributes = Object.entries({ 'widget-key': widgetKey, color: '#1f6f54', ...settings });
  const script = `<script async src="${parley.url}/widget.js" ${attributes.map(([name, value]) => `data-${name}="${value}"`).join(' ')}></script>`;
  const html = `<!doctype html><html lang="${settings.locale ?? 'en'}"><meta name="color-scheme" content="light dark"><title>Shop</title>${script}<body>`;
  await page.route('**/shop', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(`${parley.url}/shop`);
  const kept = (key) => JSON.parse(localStorage.getItem(`parley:${key}`) ?? '{}').chatId;
  return openPanel(at, async () => (await page.waitForFunction(kept, widgetKey)).jsonValue());
}

/** Opens the widget's panel. Returns what lets the visitor and the bot write. */
async function openPanel({ page, parley, demo }, chatId) {
  await page.locator('parley-widget .launcher').click();
  const field = page.getByRole('dialog').getByRole('textbox');
  await field.waitFor();
  const bot = async (path, body) => {
    const headers = { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' };
    const response = await fetch(`${parley.url}/api/bot${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  const write = async (text) => {
    await field.fill(text);
    await field.press('Enter');
  };
  return {
    chatId,
    write,
    async visitor(text) {
      await write(text);
      await page.getByText(/Sending|…يرسل/).waitFor({ state: 'detached' });
      await page.locator('parley-widget .bubble').filter({ hasText: text }).first().waitFor();
    },
    bot: async (content, more) => bot('/messages', { chatId: await chatId(), content, ...more }),
    live: async (body) => bot(`/chats/${await chatId()}/typing`, body),
    transfer: async (body) => bot('/transfer', { chatId: await chatId(), ...body }),
  };
}

await runToEnd(main);
