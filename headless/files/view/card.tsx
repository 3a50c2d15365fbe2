import type { MessageFile } from '../../types.js';
import { labelOf, sizeWords } from '../kinds.js';
import { isOver, useFresh } from './fresh.js';
import type { FileKit } from './kit.js';

/** Closes something. */
export const CROSS = 'm6 6 12 12M18 6 6 18';
const SHEET = 'M6 3h8l5 5v13H6ZM14 3v5h5';

/** A file that is saved: its name, what it is, and its size. */
export function Card({ file, kit }: { file: MessageFile; kit: FileKit }) {
  const { url, renew } = useFresh(file, kit);
  const open = (event: MouseEvent) => {
    if (!isOver(url)) return;
    event.preventDefault();
    void renew().then((fresh) => fresh && openLink(fresh));
  };
  return (
    <a class="file-card" href={url} target="_blank" rel="noopener noreferrer" onClick={open}>
      <Sheet />
      <Facts {...file} locale={kit.locale} />
    </a>
  );
}

function openLink(href: string): void {
  const link = document.createElement('a');
  Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer' });
  link.click();
}

/** The name of a file, which a stranger may have chosen, on its own line of writing. */
export function Facts({ name, size, type, locale }: Pick<MessageFile, 'name' | 'size' | 'type'> & { locale: string }) {
  return (
    <span class="file-facts">
      <span class="file-name" title={name}>
        <bdi>{name}</bdi>
      </span>
      <span class="kind">
        {type && <bdi>{labelOf(type)}</bdi>}
        {type && ' · '}
        <bdi>{sizeWords(size, locale)}</bdi>
      </span>
    </span>
  );
}

/** A decorative sheet of paper. */
export const Sheet = () => <Drawing path={SHEET} />;

/** A decorative picture of lines, on a grid of 24 units. */
export function Drawing({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class="icon">
      <path d={path} />
    </svg>
  );
}
