import { EventEmitter, once } from 'node:events';

/** The longest time for each step of a page, in milliseconds. */
const PATIENCE = 30_000;

/**
 * A tab in its own browser context, without what Playwright injects into its pages. That makes the console's first load 1.5 times as
 * long, because requests and workers wait until Playwright has processed them.
 * @param root a session of the browser itself, from `newBrowserCDPSession`
 * @param cookies in Playwright's form
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
    /** Opens an address. Resolves when the page has loaded. */
    async go(url) {
      const loaded = next('Page.loadEventFired');
      await send('Page.navigate', { url });
      await loaded;
    },
    /** Evaluates an expression in the page, and awaits it if it's a promise. */
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
