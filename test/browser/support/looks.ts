import type { BrowserContextOptions } from 'playwright-core';

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The screens that the widget is designed for. */
export const LOOKS: Record<string, BrowserContextOptions> = {
  'a desktop, light': { colorScheme: 'light' },
  'a desktop, dark': { colorScheme: 'dark' },
  'a phone, light': { ...PHONE, colorScheme: 'light' },
  'a phone, dark': { ...PHONE, colorScheme: 'dark' },
};
