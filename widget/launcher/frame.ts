import { addStyles, element, icon } from './dom.js';
import { keepEvents } from './gate.js';
import styles from './styles.css?inline';

const CHAT = 'M7.6 19.7a9 9 0 1 0-3.5-3.4L2.6 21.4Z';
const CLOSE = 'm6 9.5 6 6 6-6';

/** The elements of the launcher. The panel renders into `mount`. */
export interface Frame {
  host: HTMLElement;
  root: ShadowRoot;
  frame: HTMLElement;
  mount: HTMLElement;
  button: HTMLButtonElement;
  badge: HTMLElement;
}

/** Creates the elements. The panel is before the button, so that Tab reaches it first. */
export function createFrame(nonce: string): Frame {
  const host = document.createElement('parley-widget');
  const root = host.attachShadow({ mode: 'open' });
  const badge = element('span', 'badge');
  const button = element('button', 'launcher', icon('chat', CHAT), icon('shut', CLOSE), badge);
  button.type = 'button';
  button.ariaHasPopup = 'dialog';
  const mount = element('div', 'mount');
  const frame = element('div', 'frame', mount, button);
  addStyles(root, styles, nonce);
  root.appendChild(frame);
  keepEvents(host, root, mount);
  return { host, root, frame, mount, button, badge };
}

/** @param mark the text of the badge; empty for none */
export function drawButton(
  { button, badge }: Frame,
  label: string,
  isOpen: boolean,
  isLoading: boolean,
  mark: string,
): void {
  button.ariaLabel = label;
  button.ariaExpanded = `${isOpen}`;
  button.ariaBusy = `${isLoading}`;
  // As generated content: what the button says is its label, not the number with it.
  badge.dataset.mark = isOpen ? '' : mark;
}
