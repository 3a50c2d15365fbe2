import { useState } from 'preact/hooks';
import { fieldsIn } from '../../../headless/form.js';
import { focusPanel } from '../../panel/lib/focus.js';
import { usePanel } from '../../panel/lib/context.js';
import { Introduction } from './introduction.js';

/** Shown instead of the composer when the chat is closed. */
export function Ended({ onStart }: { onStart: () => void }) {
  const { host, strings } = usePanel();
  const [isAsking, ask] = useState(false);
  if (isAsking) return <BeforeChat onDone={onStart} />;
  return (
    <div class="ended">
      <p role="status">{strings.ended}</p>
      <button
        class="primary"
        onClick={(event) => {
          if (host.chosen?.formFields?.[0]) return ask(true);
          focusPanel(event.currentTarget);
          onStart();
        }}
      >
        {strings.startAgain}
      </button>
    </div>
  );
}

/** The organization's own fields, before a further chat of the visitor. */
export function BeforeChat({ onDone }: { onDone: () => void }) {
  return <Introduction isBefore takesFocus fields={fieldsIn(usePanel().host.chosen?.formFields)} onDone={onDone} />;
}
