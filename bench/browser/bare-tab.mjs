import { EventEmitter, once } from 'node:events';

/** How long a page may take for anything, in milliseconds. */
const PATIENCE = 30_000;

/**
 * A tab in a browser context of its own, without what Playwright puts into each of its pages: that makes a first load of the console
 * half as long again, for it holds up requests and workers until it has heard of them.
 * @param root a session of the browser itself, from `newBrowserCDPSession`
 * @param cookies as Playwright gives them
 */
export async function openBareTab(root, cookies, { width, height }) {
  const { browserContextId } = await root.send('Target.createBrowserContext');
  await root.send('Storage.setCookies', { browserContextId, cookies });
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId, width, height });
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: false });
  const heard = new EventEmitter();
  const next = (name) => once(heard, name, { signal: AbortSignal.timeout(PATIENCE) });
  const hear = (event) => {
    if (event.sessionId !== sessionId) return;
    const { id, method, error, result } = JSON.parse(event.message);
    heard.emit(id ?? method, { error, result });
  };
  root.on('Target.receivedMessageFromTarget', hear);

  let asked = 0;
  const send = async (method, params) => {
    const id = ++asked;
    const answered = next(id);
    await root.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    const [{ error, result }] = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  await send('Page.enable');

  return {
    send,
    /** Goes to an address, and resolves when the page has loaded. */
    async go(url) {
      const loaded = next('Page.loadEventFired');
      await send('Page.navigate', { url });
      await loaded;
    },
    /** The value of an expression in the page, of a promise its result. */
    async read(expression) {
      const { result } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      return result.value;
    },
    async close() {
      root.off('Target.receivedMessageFromTarget', hear);
      await root.send('Target.disposeBrowserContext', { browserContextId });
    },
  };
}
