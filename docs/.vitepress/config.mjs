import { fileURLToPath } from 'node:url';
import { APIS } from './apis.mjs';
import { BASE_PATH } from './base-path.mjs';
import { configureMarkdown } from './markdown.mjs';
import { readTasks } from './pages.mjs';

const tasks = readTasks();

const linkOf = ({ path }) => `/${path.replace(/(?:index)?\.md$/, '')}`;
const itemOf = (page) => ({ text: page.title, link: linkOf(page) });
const groupOf = ({ title, index, pages, groups }) => ({
  text: title,
  ...(index && { link: linkOf(index) }),
  collapsed: true,
  items: [...pages.map(itemOf), ...groups.map(groupOf)],
});

// These pages aren't the site's own, so the browser has to load them.
const apis = Object.entries(APIS).map(([audience, { name }]) => ({
  text: name,
  link: `/api/${audience}/`,
  target: '_self',
}));
const sidebar = tasks.map(groupOf);
sidebar.find(({ link }) => link === '/reference/').items.unshift(...apis);

/** The names in the bar, where there's less room than in the sidebar. */
const SHORT = { 'Put the chat on your site': 'Your site' };

/** @type {import('vitepress').UserConfig} */
export default {
  base: `${BASE_PATH}/docs/`,
  lang: 'en-US',
  title: 'Parley',
  titleTemplate: ':title · Parley',
  description: 'A live-chat backend for bots and people that you host yourself.',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE_PATH}/docs/favicon.svg` }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  cleanUrls: true,
  // The pages hold no data of the whole site, so that a new page doesn't change the others.
  metaChunk: true,
  // The index of the search is one file, which a reader's first search loads.
  vite: { build: { chunkSizeWarningLimit: 1_000 } },
  cacheDir: fileURLToPath(new URL('node_modules/.cache', import.meta.url)),
  markdown: {
    config: configureMarkdown,
    languageAlias: { caddy: 'nginx', haproxy: 'nginx' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  transformPageData(page) {
    const markdown = `${BASE_PATH}/docs/${page.filePath}`;
    page.frontmatter.head = [['link', { rel: 'alternate', type: 'text/markdown', href: markdown }]];
  },
  themeConfig: {
    logo: { src: '/favicon.svg', alt: '' },
    search: { provider: 'local' },
    nav: [
      ...tasks.map(({ title, index }) => ({
        text: SHORT[title] ?? title,
        link: linkOf(index),
        activeMatch: `^${linkOf(index)}`,
      })),
      { text: 'API', link: '/api/bot/', target: '_self' },
    ],
    sidebar,
    outline: { level: [2, 3], label: 'On this page' },
    docFooter: { prev: 'Previous', next: 'Next' },
    externalLinkIcon: true,
    notFound: {
      title: 'This page does not exist',
      quote: 'It may have moved. Search for it, or start at the first page.',
      linkText: 'Go to the first page',
      linkLabel: 'Go to the first page',
    },
  },
};
