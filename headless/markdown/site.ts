const SEPARATORS = /[\s/@:?#()<>[\]"',;]+/;

/**
 * The site to show beside a link's label, if the label names another site than the link's; otherwise undefined. A label that names a
 * site may lead to any part of it.
 */
export function siteBeside(label: string, href: string): string | undefined {
  const { protocol, hostname, pathname } = new URL(href);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  const target = isWeb ? hostname : pathname.slice(pathname.lastIndexOf('@') + 1);
  const isHonest = label
    .split(SEPARATORS)
    .map(siteOf)
    .every((named) => !named || `.${target}`.endsWith(`.${named}`));
  return isHonest ? undefined : isWeb ? hostname : pathname;
}

/** The site that a word names, as browsers write it; undefined for a word that names none. */
function siteOf(word: string): string | undefined {
  if (!word.slice(1, -1).includes('.')) return undefined;
  try {
    const site = new URL(`http://${word}`).hostname.replace(/^www\./, '');
    // The period at the end of a sentence isn't part of the site.
    return site.endsWith('.') ? site.slice(0, -1) : site;
  } catch {
    return undefined;
  }
}
