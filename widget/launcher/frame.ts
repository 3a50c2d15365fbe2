import { addStyles, element, icon } from './dom.js';
import styles from './styles.css?inline';

const CHAT =
  'M12 3.5c-5 0-9 3.5-9 7.9 0 2.4 1.2 4.5 3.1 6-.1 1-.6 2-1.4 2.8-.2.2 0 .6.3.6 1.8 0 3.4-.7 4.6-1.7.8.2 1.6.2 2.4.2 5 0 9-3.5 9-7.9s-4-7.9-9-7.9Z';
const CLOSE = 'm6 9.5 6 6 6-6';
const ALERT = 'M12 6v7.5M12 17.5v.1';

/** The elements of the launcher. `mount` is the panel's. */
export interface Frame {
  host: HTMLElement;
  root: ShadowRoot;
  frame: HTMLElement;
  mount: HTMLElement;
  button: HTMLButtonElement;
  badge: HTMLElement;
}

/** Makes the element, which is on the page as soon as there is a body. The panel comes before the button, in order of Tab. */
export function createFrame(nonce: string): Frame {
  const host = document.createElement('parley-widget');
  const root = host.attachShadow({ mode: 'open' });
  const badge = element('span', 'badge');
  const button = element('button', 'launcher', icon('chat', CHAT), icon('shut', CLOSE), icon('alert', ALERT), badge);
  button.type = 'button';
  button.setAttribute('aria-haspopup', 'dialog');
  const mount = element('div', 'mount');
  const frame = element('div', 'frame', mount, button);
  addStyles(root, styles, nonce);
  root.append(frame);
  return { host, root, frame, mount, button, badge };
}

/** What the button shows. */
export interface ButtonState {
  label: string;
  isOpen: boolean;
  isLoading: boolean;
  hasFailed: boolean;
  unread: number;
}

export function drawButton({ button, badge }: Frame, state: ButtonState): void {
  button.setAttribute('aria-label', state.label);
  button.setAttribute('aria-expanded', `${state.isOpen}`);
  button.setAttribute('aria-busy', `${state.isLoading}`);
  button.classList.toggle('failed', state.hasFailed);
  badge.hidden = state.isOpen || !state.unread;
  badge.textContent = state.unread > 9 ? '9+' : `${state.unread}`;
}
