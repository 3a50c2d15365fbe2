import { CLOSED } from './request.js';
import type { VisitorClient } from './types.js';

/** Makes every promise of a client settle when it's closed. Some would wait forever for a connection, or for the site's `identity`. */
export function settleOnClose(client: VisitorClient): VisitorClient {
  const underWay = new Map<Promise<unknown>, (reason: Error) => void>();
  let isClosed = false;

  const settling =
    <Given extends unknown[], T>(call: (...given: Given) => Promise<T>) =>
    (...given: Given): Promise<T> => {
      if (isClosed) return Promise.reject(CLOSED);
      let interrupt = (_reason: Error): void => undefined;
      const result = new Promise<T>((resolve, reject) => {
        interrupt = reject;
        call(...given)
          .finally(() => underWay.delete(result))
          .then(resolve, reject);
      });
      underWay.set(result, interrupt);
      return result;
    };
  const identify = settling(client.identify);

  return {
    ...client,
    openChat: settling(client.openChat),
    resumeChat: settling(client.resumeChat),
    listChats: settling(client.listChats),
    closeChat: settling(client.closeChat),
    loadEarlier: settling(client.loadEarlier),
    send: settling(client.send),
    // A sign-out waits for nothing.
    identify: (identity) => (identity === null ? client.identify(null) : identify(identity)),
    setVisitor: settling(client.setVisitor),
    post: settling(client.post) as VisitorClient['post'],
    upload: settling(client.upload),
    close() {
      isClosed = true;
      client.close();
      for (const [result, interrupt] of underWay) {
        // A caller that doesn't wait for it need not handle it.
        result.catch(() => undefined);
        interrupt(CLOSED);
      }
      underWay.clear();
    },
  };
}
