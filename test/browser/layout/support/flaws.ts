import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { findViolations } from '../../support/axe.js';
import type { Visit } from '../../support/visit.js';

/** The expression, without the semicolon at its end. */
const GEOMETRY = readFileSync(new URL('./geometry.js', import.meta.url), 'utf8')
  .trim()
  .replace(/;$/, '');

/** The widths that pages are checked in, in pixels, each with the window's height. 720 is 1440 by 900 at a zoom of 200 %. */
const HEIGHTS = { 320: 568, 360: 740, 390: 844, 720: 450, 768: 1024, 1440: 900 } as const;
export type Width = keyof typeof HEIGHTS;

/** The looks that pages are checked in; `text` is the text size besides the usual one. */
const LOOKS = {
  light: { colorScheme: 'light', forcedColors: 'none', text: 1 },
  dark: { colorScheme: 'dark', forcedColors: 'none', text: 1 },
  'forced colors': { colorScheme: 'dark', forcedColors: 'active', text: 1 },
  'text of 200 %': { colorScheme: 'light', forcedColors: 'none', text: 2 },
} as const;
type Look = keyof typeof LOOKS;

/** Maximum milliseconds for checking one screen: it's laid out again for each width and look. */
export const PATIENCE = 240_000;

export interface Looking {
  widths: readonly Width[];
  /** The window's height in pixels, instead of each width's usual one, to show more. */
  height?: number;
  /** All of them when omitted. */
  looks?: readonly Look[];
  /** The name of its pictures. */
  name: string;
}

/**
 * A page's flaws in all widths and looks: each flaw, and where it was seen. The page keeps its state, except its size,
 * colors, and text size. LAYOUT_PICTURES names a folder for a picture of each.
 */
export async function findFlaws(visit: Visit, looking: Looking): Promise<Record<string, string>> {
  const flaws = new Map<string, string>();
  const note = (flaw: string, place: string) => flaws.set(flaw, [flaws.get(flaw), place].filter(Boolean).join(', '));
  for (const look of looking.looks ?? (Object.keys(LOOKS) as Look[])) {
    const { text, ...media } = LOOKS[look];
    await visit.page.emulateMedia(media);
    for (const width of looking.widths) {
      await visit.page.setViewportSize({ width, height: looking.height ?? HEIGHTS[width] });
      const place = `${look} ${width}`;
      const finding = visit.page.evaluate<string[]>(`(window.findLayoutFlaws ??= ${GEOMETRY})(${text})`);
      const found = await within(place, finding);
      for (const flaw of found) note(flaw, place);
      for (const flaw of isForAxe(look, width, looking) ? await violations(visit) : []) note(flaw, place);
      await takePicture(visit.page, `${looking.name} ${place}`);
    }
  }
  return Object.fromEntries(flaws);
}

/** Fails with what it waits for, before the whole test runs out of time without a word. */
async function within<T>(place: string, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = sleep(PATIENCE / 2, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`the page never came to rest: ${place}`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}

/** Axe checks what differs for it: the narrowest page in light, the widest in dark. */
function isForAxe(look: Look, width: Width, { widths }: Looking): boolean {
  return (look === 'light' && width === widths[0]) || (look === 'dark' && width === widths.at(-1));
}

async function violations(visit: Visit): Promise<string[]> {
  return ((await findViolations(visit)) as [string, string[]][]).map(([rule, nodes]) => `axe: ${rule}: ${nodes[0]}`);
}

async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.LAYOUT_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\p{L}\d]+/gu, '-')}.png`) });
}
