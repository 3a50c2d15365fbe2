import pg from 'pg';
import pLimit from 'p-limit';
import { adminOf } from '../setup/parley.mjs';
import { createChat } from '../setup/tenants.mjs';

const TOGETHER = 16;
/** Tall enough to show many lines of a list. The page also renders some lines outside of the window. */
export const VIEWPORT = { width: 1440, height: 1400 };

/** Fills an organization with open chats, and signs a supervisor in to the console, who opens the list of all of them. */
export async function openDesk(bench, parley, browser) {
  const [{ organizationId, token: botToken, chats: made }] = bench.tenants;
  const post = adminOf(parley);
  const many = pLimit(TOGETHER);
  const added = await Promise.all(
    Array.from({ length: bench.console.rows - made.length }, (_, index) =>
      many(createChat, post, organizationId, made.length + index + 1),
    ),
  );
  const chats = [...made, ...added].toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const fields = { name: 'Sue', email: 'sue@example.com', role: 'SUPERVISOR' };
  const { id } = await post(`/${organizationId}/agents`, fields);
  const { url: link } = await post(`/${organizationId}/agents/${id}/sign-in-links`, {});
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(watchPixels);
  await page.goto(`${parley.url}/console/link${new URL(link).hash}`);
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.locator('.desk').waitFor();
  return { context, page, chats, organizationId, botToken };
}

/** Scrolls the list of all open chats to its end and back, so that it has loaded all of them. */
export async function readWholeList(page, url, count) {
  await page.goto(`${url}/console/open`);
  await page.locator('.row').first().waitFor();
  await page.evaluate(async (wanted) => {
    const list = document.querySelector('.rows');
    const size = () => Number(document.querySelector('.row-item')?.getAttribute('aria-setsize'));
    while (size() < wanted) {
      list.scrollTop = list.scrollHeight;
      await new Promise(requestAnimationFrame);
    }
    list.scrollTop = 0;
  }, count);
  await page.locator('.row-item[aria-posinset="1"]').waitFor();
}

/** Stores a chat's messages in one statement. */
export async function fillChat(databaseUrl, organizationId, chatId, count) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_name, created_at)
     SELECT $1, $2, seq, 'msg_' || right($2, 17) || lpad(seq::text, 9, '0'), 'TEXT',
       'Line ' || seq || repeat(' and some words more', seq % 7), CASE seq % 3 WHEN 0 THEN 'BOT' ELSE 'VISITOR' END, 'Vera',
       now() - interval '1 day' + seq * interval '5 seconds'
     FROM generate_series(1, $3::integer) AS seq`,
    [organizationId, chatId, count],
  );
  await client.query('UPDATE chats SET message_count = $3 WHERE organization_id = $1 AND id = $2', [
    organizationId,
    chatId,
    count,
  ]);
  await client.end();
}

/** How many milliseconds the page's clock is ahead of this process's, measured by the fastest of many round trips. */
export async function clockAhead(page) {
  let best = { trip: Infinity, ahead: 0 };
  for (let time = 0; time < 40; time++) {
    const asked = performance.timeOrigin + performance.now();
    const there = await page.evaluate(() => performance.timeOrigin + performance.now());
    const answered = performance.timeOrigin + performance.now();
    const trip = answered - asked;
    if (trip < best.trip) best = { trip, ahead: there - (asked + answered) / 2 };
  }
  return best.ahead;
}

/**
 * Runs in the page. `pixels.painted(holds)` resolves with the time of the first drawn frame that meets a condition. `pixels.seen` has
 * that time for each new message and row, by its text.
 */
function watchPixels() {
  const now = () => performance.timeOrigin + performance.now();
  const afterPaint = (done) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => done(now()));
      port1.start();
      port2.postMessage(null);
    });
  const painted = (holds) =>
    new Promise((resolve) => {
      if (holds()) return afterPaint(resolve);
      const observer = new MutationObserver(() => {
        if (!holds()) return;
        observer.disconnect();
        afterPaint(resolve);
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    });
  const seen = new Map();
  const watch = (selector) =>
    new MutationObserver(() => {
      const fresh = [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
      const news = fresh.filter((text) => text.startsWith('ping ') && !seen.has(text));
      for (const text of news) seen.set(text, null);
      if (news.length > 0) afterPaint((at) => news.forEach((text) => seen.set(text, at)));
    }).observe(document, { subtree: true, childList: true, characterData: true });
  window.pixels = { painted, seen, watch };
}
