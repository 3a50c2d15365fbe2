import { type Option, optionsIn } from './options.js';
import type { Message } from './types.js';
import { safeUrl } from './links.js';

/** A card of a message: an article, a plan, a place. */
export interface Card {
  title: string;
  text?: string;
  image?: { src: string; alt: string };
  /** Where the title leads. */
  href?: string;
  options: Option[];
}

const MAX_CARDS = 10;

/** The cards of a bot's or an agent's BUTTON message (CONTRACT: Messages). Leaves malformed ones out. */
export function cardsOf({ type, metadata, sender }: Message): Card[] {
  const given: unknown = metadata?.cards;
  const isOurs = sender.type === 'BOT' || sender.type === 'AGENT';
  return type === 'BUTTON' && isOurs && Array.isArray(given) ? given.flatMap(toCard).slice(0, MAX_CARDS) : [];
}

function toCard(given: unknown): Card[] {
  const { title, text, image, url, options } = (given ?? {}) as Record<string, unknown>;
  if (typeof title !== 'string' || !title.trim()) return [];
  const { url: address, alt } = (image ?? {}) as Record<string, unknown>;
  const src = safeUrl(address, 'http https');
  return [
    {
      title,
      ...(typeof text === 'string' && text && { text }),
      ...(src && { image: { src, alt: typeof alt === 'string' ? alt : '' } }),
      href: safeUrl(url, 'http https'),
      options: optionsIn(options),
    },
  ];
}
