import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMAGES = 'docs/images';
/** A page with several pictures stays fast. The README has one that moves. */
const MAX_BYTES = 150_000;
const MAX_FILM_BYTES = 500_000;

const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
  .map((name) => join('docs', name));

/** The pictures of a page, relative to the repository, with their alternative texts; null for a `source`. */
function picturesOf(page: string): { path: string; alt: string | null }[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const found = [
    ...Array.from(text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g), ([, alt, path]) => ({ path: path!, alt: alt! })),
    ...Array.from(text.matchAll(/<img src="([^"]+)" alt="([^"]*)"/g), ([, path, alt]) => ({ path: path!, alt: alt! })),
    ...Array.from(text.matchAll(/<source [^>]*srcset="([^"]+)"/g), ([, path]) => ({ path: path!, alt: null })),
  ];
  return found.map(({ path, alt }) => ({ path: join(dirname(page), path), alt }));
}

const SHOWN = ['README.md', ...pages].flatMap(picturesOf);
const FILES = readdirSync(join(ROOT, IMAGES));

describe('the pictures in the documentation', () => {
  it('every picture has an alternative text', () => {
    expect(SHOWN.filter(({ alt }) => alt !== null && alt.length < 10)).toEqual([]);
  });

  it('every picture in docs/images is shown, and every shown picture exists', () => {
    const shown = new Set(SHOWN.map(({ path }) => path).filter((path) => path.startsWith(IMAGES)));
    expect([...shown].toSorted()).toEqual(FILES.map((name) => join(IMAGES, name)).toSorted());
  });

  it.each(FILES)('the picture %s has at most 150 kB, a film 500 kB', (name) => {
    const most = name === 'film.webp' ? MAX_FILM_BYTES : MAX_BYTES;
    expect(statSync(join(ROOT, IMAGES, name)).size).toBeLessThanOrEqual(most);
  });

  it('a light picture has a dark one', () => {
    const light = FILES.filter((name) => name.endsWith('-light.webp'));
    expect(light.filter((name) => !FILES.includes(name.replace('-light', '-dark')))).toEqual([]);
  });
});
