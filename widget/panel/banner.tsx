import { useEffect, useRef, useState } from 'preact/hooks';
import { useKit } from './kit.js';
import { useObservable } from './observable.js';

const PATIENCE_MS = 1_000;

/** Shows that the connection is lost, once there was one. Waits a second first, because most interruptions are shorter. */
export function Banner() {
  const { client, strings } = useKit();
  const { state } = useObservable(client.connection);
  const wasOnline = useRef(false);
  if (state === 'online') wasOnline.current = true;
  const isOffline = state === 'offline' && wasOnline.current;
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isOffline) return setShown(false);
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isOffline]);
  return (
    <div role="status">
      {isOffline && isShown && (
        <p class="banner">
          <span class="spinner" />
          {strings.reconnecting}
          <button class="text" onClick={() => client.reconnect()}>
            {strings.tryNow}
          </button>
        </p>
      )}
    </div>
  );
}
