import type { ComponentType } from 'preact';
import { cardsOf } from '../../headless/cards.js';
import { formOf } from '../../headless/form.js';
import type { Message } from '../../headless/types.js';
import type { ChoicesProps } from '../ui/conversation/message-line.js';

interface OffersProps {
  message: Message;
  choice: string | undefined;
  Choices: ComponentType<ChoicesProps>;
}

/** The cards of a message, and the fields of its form, as the agent needs them to follow: without pictures. */
export function Offers({ message, choice, Choices }: OffersProps) {
  const form = formOf(message);
  const cards = cardsOf(message);
  return (
    <div class="offered">
      {cards.map(({ title, text, options }) => (
        <div>
          <strong dir="auto">{title}</strong>
          {text && <p dir="auto">{text}</p>}
          <Choices options={options} choice={choice} />
        </div>
      ))}
      {form && (
        <div>
          {form.title && <strong dir="auto">{form.title}</strong>}
          <Choices options={form.fields.map(({ label }) => ({ label }))} choice={undefined} />
        </div>
      )}
    </div>
  );
}
