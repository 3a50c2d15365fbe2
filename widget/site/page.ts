import type { PageContext } from '../client/types.js';

const MAX_ADDRESS = 1_000;
const MAX_TITLE = 200;

/** Where the visitor is. Without the address's fragment, which the page keeps to itself. */
export function readPage(): PageContext {
  const { title, referrer } = document;
  return {
    url: location.href.split('#', 1)[0]!.slice(0, MAX_ADDRESS),
    title: title.slice(0, MAX_TITLE),
    referrer: referrer.slice(0, MAX_ADDRESS) || undefined,
    language: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    screen: `${screen.width}x${screen.height}`,
  };
}
