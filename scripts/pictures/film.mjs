// The README's moving picture: a visitor, a bot, a hand-over, and an agent, taken from the running product.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The most bytes: a README is read on phones too. */
const MAX_BYTES = 500_000;
/** Tried in this order. */
const QUALITIES = ['80', '70', '60', '50', '40'];
const VISITOR = { width: 420, height: 620 };
const AGENT = { width: 960, height: 620 };
const GAP = 12;

const ANSWER =
  'Sorry about that! It’s often a **loose carrier**:\n\n1. Take off the hopper\n2. Turn the upper burr to the left\n3. Grind 10 g on setting 18';

/** Plays the story, and writes `path`. `open` has what signs an agent in and opens the demo's page. */
export async function makeFilm(browser, at, open, path) {
  const visitor = await pageOf(browser, VISITOR);
  const agent = await pageOf(browser, AGENT);
  const frames = [];
  const take = async (milliseconds) => {
    const shots = [];
    for (const page of [visitor, agent]) shots.push(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    frames.push({ milliseconds, shots });
  };
  await play({ ...at, visitor, agent, open, take });
  await encode(await composed(browser, frames), path);
}

async function play({ visitor, agent, open, take, ...at }) {
  const { admin, idOf, people } = at.shop;
  // Ada's first offer is the visitor's chat.
  const { chats: waiting } = await admin('/chats?status=QUEUED');
  for (const { id } of waiting) await admin(`/chats/${id}`, { status: 'CLOSED' }, 'PATCH');
  await admin(`/groups/${idOf('Support')}`, { routing: 'OFFER', offerSeconds: 120 }, 'PATCH');
  await open.signIn({ ...at, page: agent }, 'mine');
  const say = await open.demo({ ...at, page: visitor });
  await agent.locator('.rows').first().waitFor();
  await take(1_200);

  await write(visitor, take, 'Hi! My grinder squeaks. Order 4711');
  const chatId = await say.chatId();
  for (const length of [18, 52, 96]) {
    await say.live({ isTyping: true, text: ANSWER.slice(0, length) });
    const shown = ANSWER.slice(0, length).replaceAll('*', '').slice(0, 15);
    await visitor.locator('parley-widget').getByText(shown, { exact: false }).last().waitFor();
    await take(450);
  }
  await say.bot(ANSWER);
  await visitor.locator('parley-widget .bubble').filter({ hasText: 'setting 18' }).waitFor();
  await take(2_000);

  await write(visitor, take, 'Did that, twice. Can I talk to someone?');
  await say.transfer({ targetGroupId: idOf('Support'), reason: 'The grinder still squeaks, order 4711' });
  await people.get('Ada').api('/presence', { isAccepting: true }, 'PUT');
  const accept = agent.getByRole('button', { name: /^Accept/ }).first();
  await accept.waitFor();
  await take(2_000);
  // An offer takes no click in its first half second.
  await accept.click({ trial: true });
  await agent.waitForTimeout(700);
  await accept.click();
  const field = agent.getByRole('textbox', { name: /Message|Reply/ }).first();
  await field.waitFor();
  await visitor.locator('parley-widget').getByText(/Ada/).first().waitFor();
  await take(1_400);

  await field.fill('Hi, this is Ada. Two weeks is far too early for that: a new carrier leaves today!');
  await visitor.waitForTimeout(500);
  await take(1_400);
  await field.press('Enter');
  await visitor.locator('parley-widget .bubble').filter({ hasText: 'a new carrier leaves today' }).waitFor();
  await take(1_800);
  await write(visitor, take, 'Wow, that was quick. Thank you!');
  await agent.locator('.words').filter({ hasText: 'Wow, that was quick' }).last().waitFor();
  await take(3_500);
  await admin(`/groups/${idOf('Support')}`, { routing: 'MANUAL' }, 'PATCH');
  await admin(`/chats/${chatId}`, { status: 'CLOSED' }, 'PATCH');
}

/** The visitor's words, first in the field, then sent. */
async function write(page, take, text) {
  const field = page.getByRole('dialog').getByRole('textbox');
  await field.fill(text);
  await take(900);
  await field.press('Enter');
  await page.getByText('Sending').waitFor({ state: 'detached' });
  await page.locator('parley-widget .bubble').filter({ hasText: text }).first().waitFor();
  await take(700);
}

async function pageOf(browser, viewport) {
  const context = await browser.newContext({
    viewport,
    reducedMotion: 'reduce',
    colorScheme: 'light',
    locale: 'en-GB',
  });
  context.setDefaultTimeout(20_000);
  return context.newPage();
}

/** Puts both pages of each frame beside each other. */
async function composed(browser, frames) {
  const size = { width: VISITOR.width + AGENT.width + 3 * GAP, height: AGENT.height + 2 * GAP };
  const page = await (await browser.newContext({ viewport: size })).newPage();
  const result = [];
  for (const { shots, milliseconds } of frames) {
    const pictures = shots.map((png) => `<img src="data:image/png;base64,${png.toString('base64')}">`);
    await page.setContent(`<!doctype html><style>
      body { margin: 0; padding: ${GAP}px; display: flex; gap: ${GAP}px; background: #d7dce2 }
      img { border-radius: 8px; display: block }</style>${pictures.join('')}`);
    await page.waitForFunction(() => Array.from(document.images, ({ naturalWidth }) => naturalWidth).every(Boolean));
    result.push({ milliseconds, png: await page.screenshot() });
  }
  return result;
}

/** Encodes with `img2webp` of Debian's package `webp`. @throws Error if it's missing, or if the result is too large */
async function encode(frames, path) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-film-'));
  try {
    const inputs = [];
    for (const [index, { milliseconds, png }] of frames.entries()) {
      const file = join(folder, `${index}.png`);
      await writeFile(file, png);
      inputs.push('-d', String(milliseconds), file);
    }
    const output = join(folder, 'film.webp');
    for (const quality of QUALITIES) {
      execFileSync('img2webp', [
        '-loop',
        '0',
        '-min_size',
        '-lossy',
        '-q',
        quality,
        '-m',
        '6',
        ...inputs,
        '-o',
        output,
      ]);
      const { size } = await stat(output);
      if (size > MAX_BYTES) continue;
      await writeFile(path, await readFile(output));
      console.log(`film.webp ${Math.round(size / 1000)} kB, quality ${quality}, ${frames.length} frames`);
      return;
    }
    throw new Error(`the film has more than ${MAX_BYTES} bytes`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
