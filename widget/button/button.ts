import type { Host } from '../types.js';
import { avoid } from './avoid.js';
import { addHiding } from './hide.js';

/** Applies the script's attributes `data-avoid` and `data-hideable`. */
export function arrange(host: Host): void {
  const { avoid: selector, hideable } = host.settings;
  if (hideable !== undefined && hideable !== 'false') addHiding(host);
  if (selector) avoid(host, selector);
}
