import type { Message } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { markLong } from './long.js';
import { optionsOf, type Option } from '../../../headless/options.js';

export interface ButtonsProps {
  message: Message;
  /** The value that was chosen. */
  choice?: string;
  /** Whether they take an answer. */
  isOpen: boolean;
}

/** The buttons of a BUTTON message. They stay visible: expired ones are gray, and links keep working. */
export function Buttons({ message, choice, isOpen }: ButtonsProps) {
  const options = optionsOf(message);
  if (options.length === 0) return null;
  return (
    <div class="buttons" ref={markLong}>
      {options.map((option) =>
        option.value === undefined ? (
          <LinkButton option={option} />
        ) : (
          <AnswerButton message={message} label={option.label} value={option.value} choice={choice} isOpen={isOpen} />
        ),
      )}
    </div>
  );
}

function LinkButton({ option: { label, href } }: { option: Option }) {
  if (!href)
    return (
      <span class="choice" aria-disabled="true">
        {label}
      </span>
    );
  return (
    <a class="choice" href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      <bdi>{label}</bdi>
      <Sign path="M8 16 16.5 7.5M9 7h8v8" />
    </a>
  );
}

interface AnswerProps extends ButtonsProps {
  label: string;
  value: string;
}

function AnswerButton({ message, label, value, choice, isOpen }: AnswerProps) {
  const { client, strings } = usePanel();
  const isChosen = choice === value;
  const answer = () => {
    if (isOpen) client.send(label, { replyTo: { messageId: message.id, value } }).catch(() => undefined);
  };
  // `aria-disabled`, because `disabled` would take the focus from the button that was just pressed.
  return (
    <button class={`choice ${isChosen ? 'chosen' : ''}`} aria-disabled={!isOpen} onClick={answer}>
      <bdi>{label}</bdi>
      {isChosen && <Sign path="m5 13 4.5 4.5L19 7" />}
      {isChosen && <span class="hidden"> ({strings.chosen})</span>}
    </button>
  );
}

/** A decorative icon that only options have. */
function Sign({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class="icon">
      <path d={path} />
    </svg>
  );
}
