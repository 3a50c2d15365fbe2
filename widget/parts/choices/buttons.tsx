import type { Message } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { usePart } from '../../panel/parts.js';
import { markLong } from './long.js';
import { optionsOf, type Option } from '../../../headless/options.js';

export interface ButtonsProps {
  message: Message;
  /** The value that was chosen. */
  choice?: string;
  /** Whether they take an answer. */
  isOpen: boolean;
}

/** What a BUTTON message offers: buttons, cards, or a form. They stay visible: expired ones are gray, and links keep working. */
export function Buttons(props: ButtonsProps) {
  const { message } = props;
  const offers = usePart('offers', !!(message.metadata?.cards || message.metadata?.form));
  return (
    <>
      {offers && <offers.Cards {...props} Choices={Choices} />}
      {offers && <offers.Questions {...props} />}
      <Choices {...props} options={optionsOf(message)} />
    </>
  );
}

/** A list of buttons and links. */
export function Choices({ options, ...props }: ButtonsProps & { options: Option[] }) {
  if (options.length === 0) return null;
  return (
    <div class="buttons" ref={markLong}>
      {options.map((option) =>
        option.value === undefined ? (
          <LinkButton option={option} />
        ) : (
          <AnswerButton {...props} label={option.label} value={option.value} />
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
