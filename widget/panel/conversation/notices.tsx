import { Icon } from '../icon.js';
import { usePanel } from '../lib/context.js';

/** Shown in the place of the conversation when the chat cannot be opened. Why is for developers: the event `error` says it. */
export function Failed({ onRetry }: { onRetry: () => void }) {
  const { strings } = usePanel();
  return (
    <div class="intro" role="alert">
      <span class="failure">
        <Icon name="alert" />
      </span>
      <p class="greeting">{strings.failed}</p>
      <button class="primary" onClick={onRetry}>
        {strings.tryAgain}
      </button>
    </div>
  );
}
