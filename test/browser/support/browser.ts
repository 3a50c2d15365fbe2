import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium of this machine, with a microphone that beeps; CHROMIUM names another. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find(existsSync);
  if (!executablePath) throw new Error('no Chromium: install the package chromium, or set CHROMIUM to its path');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--use-fake-device-for-media-stream'] });
}
