import { useEffect, useRef, useState } from 'preact/hooks';
import { useKit } from './lib/context.js';
import { useObservable } from './lib/observable.js';

const PATIENCE_MS = 1_000;
/** As long as nothing was connected: what is slow may still come. */
const FIRST_PATIENCE_MS = 3_000;

/** Shows that there is no connection. Waits first, because most interruptions are short. */
export function Banner() {
  const { client, strings } = useKit();
  const { state } = useObservable(client.connection);
  const wasOnline = useRef(false);
  if (state === 'online') wasOnline.current = true;
  const isOffline = state === 'offline';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isOffline) return setShown(false);
    const timer = setTimeout(() => setShown(true), wasOnline.current ? PATIENCE_MS : FIRST_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isOffline]);
  return (
    <div role="status">
      {isOffline && isShown && (
        <p class="banner">
          <span class="spinner" />
          {wasOnline.current ? strings.reconnecting : strings.connecting}
          <button class="text" onClick={() => client.reconnect()}>
            {strings.tryNow}
          </button>
        </p>
      )}
    </div>
  );
}
