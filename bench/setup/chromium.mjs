import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { onEnd } from './ending.mjs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Whether this machine can run the parts that need Chromium. */
export function hasChromium() {
  return findChromium() !== undefined;
}

function findChromium() {
  return process.env.CHROMIUM ?? PLACES.find(existsSync);
}

/** Launches this machine's Chromium, or the one in CHROMIUM. It's closed at the end of the run. */
export async function launchChromium() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium: install the package chromium, or set CHROMIUM to its path');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  onEnd(() => browser.close());
  return browser;
}
