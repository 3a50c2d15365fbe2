import type { Message } from './types.js';
import { safeUrl } from './links.js';

/** A source of an answer; without `href`, its address is missing or not safe. */
export interface Citation {
  title: string;
  href?: string;
}

const MAX_CITATIONS = 20;

/** The sources that a bot or an agent names in `metadata.citations`, which may have any form. Leaves malformed ones out. */
export function citationsOf({ metadata, sender }: Message): Citation[] {
  const given: unknown = metadata?.citations;
  if (!Array.isArray(given) || (sender.type !== 'BOT' && sender.type !== 'AGENT')) return [];
  return given.flatMap(toCitation).slice(0, MAX_CITATIONS);
}

function toCitation(given: unknown): Citation[] {
  const { title, url } = (typeof given === 'string' ? { url: given } : (given ?? {})) as Record<string, unknown>;
  const href = safeUrl(url, 'http https');
  if (typeof title === 'string' && title.trim()) return [{ title, href }];
  return href === undefined ? [] : [{ title: href, href }];
}
