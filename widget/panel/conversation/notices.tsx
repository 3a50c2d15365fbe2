import { Icon } from '../icon.js';
import { usePanel } from '../lib/context.js';

/** Shown instead of the conversation when the chat can't be opened. The reason is for developers, in the event `error`. */
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
