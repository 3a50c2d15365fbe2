import { focusPanel } from '../../panel/lib/focus.js';
import { usePanel } from '../../panel/lib/context.js';

/** Shown in the place of the composer when the chat is closed. */
export function Ended({ onStart }: { onStart: () => void }) {
  const { strings } = usePanel();
  return (
    <div class="ended">
      <p role="status">{strings.ended}</p>
      <button
        class="primary"
        onClick={(event) => {
          focusPanel(event.currentTarget);
          onStart();
        }}
      >
        {strings.startAgain}
      </button>
    </div>
  );
}
