let isTold = false;

/** Logs once, for the owner of the page, that long polling replaces WebSockets. */
export function tellBlocked(url: string): void {
  if (!isTold)
    console.warn(`Parley: WebSockets to ${url} are blocked, so the chat polls. See ${url}/docs/operate/websockets`);
  isTold = true;
}
