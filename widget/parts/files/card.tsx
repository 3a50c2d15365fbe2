import type { MessageFile } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { isOver, useFresh } from './fresh.js';
import { labelOf, sizeWords } from './kinds.js';

const SHEET = 'M6 3h8l5 5v13H6ZM14 3v5h5';

/** A file that is saved: its name, what it is, and its size. */
export function Card({ file }: { file: MessageFile }) {
  const { url, renew } = useFresh(file);
  const open = (event: MouseEvent) => {
    if (!isOver(url)) return;
    event.preventDefault();
    void renew().then((fresh) => fresh && openLink(fresh));
  };
  return (
    <a class="card" href={url} target="_blank" rel="noopener noreferrer" onClick={open}>
      <Sheet />
      <Facts {...file} />
    </a>
  );
}

function openLink(href: string): void {
  const link = document.createElement('a');
  Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer' });
  link.click();
}

/** The name of a file, which a stranger may have chosen, on its own line of writing. */
export function Facts({ name, size, type }: Pick<MessageFile, 'name' | 'size' | 'type'>) {
  const { host } = usePanel();
  return (
    <span class="facts">
      <span class="file-name" title={name}>
        <bdi>{name}</bdi>
      </span>
      <span class="kind">
        {type && <bdi>{labelOf(type)}</bdi>}
        {type && ' · '}
        <bdi>{sizeWords(size, host.settings.locale)}</bdi>
      </span>
    </span>
  );
}

/** A decorative sheet of paper. */
export function Sheet() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class="icon">
      <path d={SHEET} />
    </svg>
  );
}
