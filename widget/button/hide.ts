import type { ParleyFunction } from '../launcher/api.js';
import { element, icon } from '../launcher/dom.js';
import type { Host } from '../types.js';
import styles from './styles.css?inline';
import { HIDE } from './words.js';

/** Adds a small button beside the chat's, which hides both until the next page, or until the chat is opened in another way. */
export function addHiding(host: Host): void {
  const frame = host.mount.parentElement!;
  host.addStyles(styles);
  const hide = element('button', 'hide', icon('', 'M18 6 6 18M6 6l12 12'));
  hide.type = 'button';
  const name = () => hide.setAttribute('aria-label', HIDE[host.words.language] ?? HIDE.en!);
  name();
  // The language may change.
  hide.addEventListener('pointerenter', name);
  hide.addEventListener('focus', name);
  hide.addEventListener('click', () => frame.classList.add('hidden-button'));
  frame.appendChild(hide);
  const { Parley } = document.defaultView as Window & { Parley?: ParleyFunction };
  for (const event of ['open', 'ready']) Parley?.('on', event, () => frame.classList.remove('hidden-button'));
}
