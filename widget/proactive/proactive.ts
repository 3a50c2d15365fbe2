import { recall } from '../panel/lib/tab-storage.js';
import { isOnOne } from '../site/paths.js';
import type { Chosen, Host } from '../types.js';
import { createMemory, type Memory } from './memory.js';
import { createOffer } from './offer.js';

type Message = Chosen['proactiveMessages'][number];

/** Milliseconds between checks of the rules. */
const LOOK_MS = 500;

/** Shows the first message whose rules hold beside the closed button: one on a page, and each once in a browser. */
export function watch(host: Host, messages: readonly Message[]): void {
  const memory = createMemory(host.widgetKey, messages);
  const offer = createOffer(host, messages, memory);
  let path: string | undefined;
  let arrivedAt = 0;
  let isDone = false;
  const look = () => {
    if (!host.mount.isConnected || document.hidden) return;
    if (path !== location.pathname) {
      path = location.pathname;
      arrivedAt = performance.now();
      memory.countPage();
      isDone = offer.keep(isHere);
    }
    if (isPanelOpen(host)) return offer.open();
    // The other greeting may be shown, and the visitor may have hidden the button.
    const isHidden = host.mount.matches('.hidden-button *');
    if (isDone || isHidden || recall('greeted') || host.mount.querySelector('.hello')) return;
    const seconds = (performance.now() - arrivedAt) / 1_000;
    const message = messages.find((one) => holds(one, seconds, memory));
    if (!message) return;
    isDone = true;
    offer.make(message);
  };
  look();
  // Browsers have no event for every change of an address.
  setInterval(look, LOOK_MS);
}

function holds(message: Message, seconds: number, memory: Memory): boolean {
  const { id, afterSeconds = 0, minPages = 0, visitor, afterScrollPercent = 0 } = message;
  const { pages, isReturning } = memory;
  return (
    !memory.hasSeen(id) &&
    isHere(message) &&
    seconds >= afterSeconds &&
    pages >= minPages &&
    (!visitor || (pages > 0 && isReturning === (visitor === 'returning'))) &&
    (!afterScrollPercent || scrolledPercent() >= afterScrollPercent)
  );
}

function isHere({ paths, excludedPaths }: Message): boolean {
  return (!paths?.[0] || isOnOne(paths)) && !isOnOne(excludedPaths ?? []);
}

/** How far down the page is scrolled; 100 if all of it is in sight. */
function scrolledPercent(): number {
  const { scrollTop, scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement;
  const most = scrollHeight - clientHeight;
  return most > 0 ? Math.ceil((scrollTop / most) * 100) : 100;
}

function isPanelOpen(host: Host): boolean {
  return host.mount.parentElement!.querySelector('.launcher')!.getAttribute('aria-expanded') === 'true';
}
