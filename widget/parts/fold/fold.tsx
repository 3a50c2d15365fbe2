import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { ALL } from './words.js';

export { default as styles } from './styles.css?inline';

/** Messages up to this height are shown whole, in pixels. */
const MAX_HEIGHT = 600;

/** Folds the bubble before it if that's very high. A message of a bot that has just arrived is read now, and stays as it is. */
export function Fold({ message }: { message: Message }) {
  const { client, strings } = usePanel();
  const [isWhole, setWhole] = useState(
    () => message.sender.type === 'BOT' && client.messages.value.at(-1)?.id === message.id,
  );
  const [isHigh, setHigh] = useState(false);
  const mark = useRef<HTMLSpanElement>(null);
  const id = `message-${message.id}`;
  useLayoutEffect(() => {
    const bubble = mark.current!.previousElementSibling!;
    if (isWhole || bubble.scrollHeight <= MAX_HEIGHT) return undefined;
    bubble.classList.add('folded');
    bubble.id = id;
    setHigh(true);
    return () => bubble.classList.remove('folded');
  }, [isWhole]);
  const show = () => {
    const bubble = mark.current!.previousElementSibling as HTMLElement;
    setWhole(true);
    // The button goes: the focus stays at the message.
    bubble.tabIndex = -1;
    bubble.focus({ preventScroll: true });
  };
  return (
    <>
      <span ref={mark} />
      {isHigh && !isWhole && (
        <button class="link all" aria-expanded={false} aria-controls={id} onClick={show}>
          {ALL[strings.language] ?? ALL.en}
        </button>
      )}
    </>
  );
}
