import type { Message } from './wire.js';

/** A button of a card: an answer, or a link. */
export type CardOption = { label: string; value: string } | { label: string; url: string };

/** A card in `metadata.cards` of a `BUTTON`, which has 1 to 10. */
export interface Card {
  /** 1 to 200 characters. */
  title: string;
  /** 1 to 1,000 characters. */
  text?: string;
  /** `url` is an http(s) address. */
  image?: { url: string; alt?: string };
  /** Where the title leads: an http(s) address. */
  url?: string;
  /** At most 5. */
  options?: CardOption[];
}

/** A field of a form. */
export interface FormField {
  /** 1 to 64 of `a-z A-Z 0-9 _ . -`, once in a form. */
  key: string;
  /** 1 to 200 characters. */
  label: string;
  type: 'text' | 'textarea' | 'email' | 'tel' | 'number' | 'date' | 'select' | 'checkbox';
  isRequired?: boolean;
  /** The 1 to 50 choices of a `select`. */
  options?: string[];
}

/** The form in `metadata.form` of a `BUTTON`. */
export interface Form {
  title?: string;
  /** What its button says, 1 to 60 characters. */
  submit?: string;
  /** 1 to 10. */
  fields: FormField[];
}

/** The answers to a form, by the keys of its fields; what was left empty is missing. */
export type Answers = Record<string, string | number | boolean>;

/**
 * The answers of a visitor's message to a form, which the service has checked against the form. Undefined if the message answers none.
 */
export function answersOf({ replyTo, metadata, sender }: Message): Answers | undefined {
  const isAnswer = sender.type === 'VISITOR' && replyTo?.value === 'form';
  return isAnswer ? (metadata.answers as Answers | undefined) : undefined;
}
