import { useEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from './lib/context.js';
import { useObservable } from './lib/observable.js';

const DELAY_MS = 1_000;
/** Before the first connection, which may be slow. */
const FIRST_DELAY_MS = 3_000;

/** Shows that there is no connection. Waits first, because most interruptions are short. */
export function Banner() {
  const { client, strings } = usePanel();
  const { state } = useObservable(client.connection);
  const wasOnline = useRef(false);
  if (state === 'online') wasOnline.current = true;
  const isOffline = state === 'offline';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isOffline) return setShown(false);
    const timer = setTimeout(() => setShown(true), wasOnline.current ? DELAY_MS : FIRST_DELAY_MS);
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
