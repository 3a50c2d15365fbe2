import type { Settings } from '../types.js';
import { textColorOn } from './contrast.js';
import type { Frame } from './frame.js';

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/;

/** Applies the settings to the elements. A site may set the others by CSS: `parley-widget { --parley-color: … }`. */
export function applyAppearance({ host, frame, button }: Frame, settings: Settings, isDark: boolean): void {
  const direction = directionOf(settings);
  frame.dir = direction;
  frame.lang = settings.locale;
  frame.dataset.theme = settings.theme === 'dark' || (settings.theme !== 'light' && isDark) ? 'dark' : 'light';
  frame.dataset.position = settings.position ?? (direction === 'rtl' ? 'left' : 'right');
  const { color, radius, zIndex } = settings;
  setVariable(host, 'color', color && CSS.supports('color', color) ? color : undefined);
  setVariable(host, 'radius', typeof radius === 'number' ? `${radius}px` : radius);
  setVariable(host, 'z-index', zIndex);
  setVariable(host, 'color-auto', textColorOn(getComputedStyle(button).backgroundColor));
}

function directionOf({ locale, isLocaleChosen }: Settings): string {
  return (!isLocaleChosen && document.documentElement.dir) || (RIGHT_TO_LEFT.test(locale) ? 'rtl' : 'ltr');
}

// Through the CSSOM, because the page's Content-Security-Policy may forbid `style` attributes.
function setVariable(host: HTMLElement, name: string, value: string | number = ''): void {
  host.style.setProperty(`--parley-${name}`, `${value}`);
}
