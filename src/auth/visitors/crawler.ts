// Crawlers that run scripts name themselves. `cubot` is a phone. Browsers without a screen aren't crawlers: sites test their chat in them.
const CRAWLER = /(?<!cu)bot\b|crawl|spider|slurp|facebookexternalhit|mediapartners|lighthouse|bingpreview/i;

/** The most characters of a header that are read. */
const MAX_LENGTH = 512;

/** Whether a user agent says that it's a crawler, or a preview of a link. */
export function isCrawler(userAgent: string | undefined): boolean {
  return CRAWLER.test(userAgent?.slice(0, MAX_LENGTH) ?? '');
}
