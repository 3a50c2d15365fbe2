/** The address of the service, without a slash at the end. The console's scripts are in `console/assets` below it. */
export const serviceUrl = import.meta.url.replace(/\/console\/assets\/[^/]*$/, '');

/** The path of that address, such as `/chat`, which begins every address of the service; empty for a host of its own. */
export const basePath = new URL(serviceUrl).pathname.replace(/\/$/, '');

/** Where this browser stores which agent turned push notifications on: the agent's id. */
export const PUSH_KEY = `parley${basePath}:console:push`;

/** A name for what all pages of the origin share, such as storage. Another Parley below another path has other names. */
export function ownName(name: string): string {
  return `parley${basePath}:${name}`;
}
