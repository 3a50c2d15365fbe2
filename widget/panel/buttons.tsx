import type { Message } from '../client/types.js';
import { Icon } from './icon.js';
import { useKit } from './kit.js';
import { optionsOf, type Choice, type Option } from '../../headless/options.js';

/** The buttons of a BUTTON message. They stay, and work again when the answer has arrived. */
export function Buttons({ message, choice }: { message: Message; choice?: Choice }) {
  const options = optionsOf(message);
  if (options.length === 0) return null;
  return (
    <div class="buttons">
      {options.map((option) =>
        option.value === undefined ? (
          <LinkButton option={option} />
        ) : (
          <AnswerButton message={message} label={option.label} value={option.value} choice={choice} />
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
      <Icon name="out" />
    </a>
  );
}

interface AnswerProps {
  message: Message;
  label: string;
  value: string;
  choice?: Choice;
}

function AnswerButton({ message, label, value, choice }: AnswerProps) {
  const { client, strings } = useKit();
  const isChosen = choice?.value === value;
  const isSending = !!choice?.isSending;
  const answer = () => {
    if (!isSending) client.send(label, { replyTo: { messageId: message.id, value } }).catch(() => undefined);
  };
  // `aria-disabled`, because `disabled` would take the focus from the button that was just pressed.
  return (
    <button class={`choice ${isChosen ? 'chosen' : ''}`} aria-disabled={isSending} onClick={answer}>
      <bdi>{label}</bdi>
      {isChosen && <Icon name="check" />}
      {isChosen && <span class="hidden"> ({strings.chosen})</span>}
    </button>
  );
}
