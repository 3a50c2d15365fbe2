// The pages by task, read from their front matter: the sidebar and llms.txt are made from this, so a new page needs no entry anywhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the pages. */
export const DOCS = fileURLToPath(new URL('..', import.meta.url));

/** The folders in the order of the sidebar, with the names of their tasks. */
const TASKS = {
  start: 'Get started',
  bots: 'Build a bot',
  website: 'Put the chat on your site',
  console: 'Answer chats',
  operate: 'Run it',
  reference: 'Reference',
  inside: 'Inside',
};
/** The task of the pages that are beside the folders. */
const TASK_OF_OTHERS = 'reference';

/**
 * @typedef {{ path: string, title: string, description: string, order: number }} Page
 * @typedef {{ title: string, index?: Page, pages: Page[], groups: Group[] }} Group
 */

/** @returns {Group[]} one group for each task */
export function readTasks() {
  return Object.entries(TASKS).map(([folder, title]) => {
    const group = readGroup(folder, title);
    if (folder === TASK_OF_OTHERS) group.pages.push(...readPages('').filter(({ path }) => path !== 'index.md'));
    return { ...group, pages: group.pages.toSorted(byOrder) };
  });
}

/** Every page, in the order of the sidebar. */
export function listPages(groups = readTasks()) {
  return groups.flatMap(({ index, pages, groups: inner }) => [
    ...(index ? [index] : []),
    ...pages,
    ...listPages(inner),
  ]);
}

function readGroup(folder, title) {
  const all = readPages(folder);
  const index = all.find(({ path }) => basename(path) === 'index.md');
  const groups = readdirSync(join(DOCS, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readGroup(`${folder}/${name}`))
    .filter(({ pages }) => pages.length > 0);
  const fallback = basename(folder).replace(/^./, (letter) => letter.toUpperCase());
  return {
    title: title ?? index?.title ?? fallback,
    index,
    pages: all.filter((page) => page !== index).sort(byOrder),
    groups,
  };
}

function readPages(folder) {
  if (!existsSync(join(DOCS, folder))) return [];
  const names = readdirSync(join(DOCS, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => readPage(folder ? `${folder}/${name}` : name));
}

function readPage(path) {
  const [, matter] = /^---\n(.*?)\n---\n/s.exec(readFileSync(join(DOCS, path), 'utf8')) ?? [];
  const field = (name) => new RegExp(`^${name}: *(.+)$`, 'm').exec(matter ?? '')?.[1].replace(/^(['"])(.*)\1$/, '$2');
  if (!field('title') || !field('description'))
    throw new Error(`docs/${path} needs a title and a description in its front matter`);
  return { path, title: field('title'), description: field('description'), order: Number(field('order') ?? Infinity) };
}

function byOrder(one, other) {
  return one.order - other.order || one.path.localeCompare(other.path, 'en');
}
