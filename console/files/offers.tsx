import { cardsOf } from '../../headless/cards.js';
import { formOf } from '../../headless/form.js';
import { type Option, optionsOf } from '../../headless/options.js';
import type { Message } from '../../headless/types.js';
import { strings } from '../locales/strings.js';
import { Icon } from '../ui/parts/icon.js';

interface OffersProps {
  message: Message;
  choice: string | undefined;
}

/** What a message offers: choices, with the chosen one, cards without their pictures, and the fields of a form. */
export function Offers({ message, choice }: OffersProps) {
  const form = formOf(message);
  return (
    <>
      {cardsOf(message).map(({ title, text, options }) => (
        <div class="offered">
          <strong dir="auto">{title}</strong>
          {text && <p dir="auto">{text}</p>}
          <Choices options={options} choice={choice} />
        </div>
      ))}
      {form && (
        <div class="offered">
          {form.title && <strong dir="auto">{form.title}</strong>}
          <Choices options={form.fields.map(({ label }) => ({ label }))} choice={undefined} />
        </div>
      )}
      <Choices options={optionsOf(message)} choice={choice} />
    </>
  );
}

function Choices({ options, choice }: { options: Option[]; choice: string | undefined }) {
  const text = strings.value;
  if (options.length === 0) return null;
  return (
    <ul class="options" aria-label={text.offered}>
      {options.map(({ label, value }) => {
        const isChosen = value !== undefined && choice === value;
        return (
          <li class={`option ${isChosen ? 'chosen' : ''}`}>
            {isChosen && <Icon name="check" />}
            <bdi>{label}</bdi>
            {isChosen && <span class="hidden"> ({text.chosen})</span>}
          </li>
        );
      })}
    </ul>
  );
}
