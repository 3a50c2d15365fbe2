// What the site changes in the pages. They're written for a reader of the repository, where a link may lead to a source file.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { BASE_PATH } from './base-path.mjs';

const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const REPOSITORY = (repository?.url ?? repository)?.replace(/^git\+/, '').replace(/\.git$/, '');

/** A link that leaves its folder; neither text nor address contains a bracket. */
const LINK = /(?<!!)\[([^[\]\n]{1,300})\]\((\.\.\/[^()\s]{1,300})\)/g;
/** Code that is an address of this installation, such as `/docs/api/bot/`. */
const ADDRESS = /^\/docs\/(?:api\/(?:bot|visitor|agent|admin)\/|llms\.txt)$/;

/**
 * Replaces links to files outside the documentation. If the repository has an address, they lead there. Otherwise the text and the
 * file's path remain.
 *
 * @param {string} source a page
 * @param {string} path the page's, relative to the folder of the documentation
 */
export function replaceOutsideLinks(source, path) {
  return source.replaceAll(LINK, (link, text, address) => {
    const target = posix.join('docs', posix.dirname(path), address);
    if (target.startsWith('docs/')) return link;
    if (REPOSITORY) return `[${text}](${REPOSITORY}/blob/main/${target})`;
    const [file] = target.split('#');
    const name = posix.basename(file);
    return text.includes(name) || name.startsWith(text) || file.startsWith(text)
      ? `\`${file}\``
      : `${text} (\`${file}\`)`;
  });
}

/** Sets up the renderer of pages. @param {import('vitepress').MarkdownRenderer} md */
export function configureMarkdown(md) {
  const render = md.render.bind(md);
  // Vue would evaluate the braces of a placeholder.
  md.render = (source, env = {}) =>
    render(replaceOutsideLinks(source, env.relativePath ?? 'index.md'), env).replaceAll('{{', '&#123;&#123;');

  const code = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const html = code(tokens, index, ...rest);
    const address = tokens[index].content;
    const isLinked = tokens.slice(0, index).findLast(({ type }) => type.startsWith('link_'))?.type === 'link_open';
    return ADDRESS.test(address) && !isLinked ? `<a href="${BASE_PATH}${address}" target="_self">${html}</a>` : html;
  };
}
