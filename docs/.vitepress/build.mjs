// Builds the documentation into docs/.vitepress/dist, which the service serves at /docs: a site, each page as Markdown beside it, a
// list of the pages for language models, and the reference of each HTTP API. The build fails if a link between pages is dead.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { APIS } from './apis.mjs';
import { BASE_PATH } from './base-path.mjs';
import { replaceOutsideLinks } from './markdown.mjs';
import { DOCS, listPages, readTasks } from './pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = join(DOCS, '.vitepress/dist');
const PICTURE = /\.(?:png|svg|webp)$/;
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([^<]+)<\/script>/g;

process.env.NODE_ENV = 'production';
await build(DOCS, {
  onAfterConfigResolve(config) {
    config.transformHtml = externalizeScripts;
  },
});
cpSync(join(root, 'console/favicon.svg'), join(out, 'favicon.svg'));
writeMarkdown();
write('llms.txt', listForModels());
writeReference();

/** The policy of the pages allows scripts only as files: moves those in a page into files. */
function externalizeScripts(html) {
  return html.replaceAll(INLINE_SCRIPT, (_, code) => `<script src="${writeAsset('inline.js', code)}"></script>`);
}

/** Writes each page as Markdown, with the site's pictures. A picture that no page of the site has is copied. */
function writeMarkdown() {
  const built = readdirSync(join(out, 'assets')).filter((name) => PICTURE.test(name));
  const pictures = new Map(built.map((name) => [name.replace(/\.[\w-]+(?=\.\w+$)/, ''), name]));
  const linkOf = (link, name) => (pictures.has(name) ? `assets/${pictures.get(name)}` : link);
  for (const { path } of [{ path: 'index.md' }, ...listPages()]) {
    const text = replaceOutsideLinks(readFileSync(join(DOCS, path), 'utf8'), path);
    write(path, text.replaceAll(/(?<=\.\/)images\/([\w-]+\.\w+)/g, linkOf));
  }
  const folders = readdirSync(DOCS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders.filter((folder) => folder.name !== '.vitepress')) {
    const files = readdirSync(join(DOCS, name), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((one) => PICTURE.test(one) && !pictures.has(basename(one))))
      cpSync(join(DOCS, name, file), join(out, name, file));
  }
}

/** The list of all pages in the form of llmstxt.org. */
function listForModels() {
  const line = ({ path, title, description }) => `- [${title}](${BASE_PATH}/docs/${path}): ${description}`;
  const sections = readTasks().map((task) => `## ${task.title}\n\n${listPages([task]).map(line).join('\n')}\n`);
  const apis = Object.entries(APIS).map(
    ([audience, { name }]) => `- [${name}](${BASE_PATH}/api/${audience}/docs): OpenAPI 3.1`,
  );
  const about = /^# Parley\n\n(.+?)\n\n/ms.exec(readFileSync(join(DOCS, 'index.md'), 'utf8'))[1].replaceAll('\n', ' ');
  return `# Parley\n\n> ${about}\n\n${sections.join('\n')}\n## OpenAPI\n\n${apis.join('\n')}\n`;
}

/** A page for each API with Scalar's viewer, which reads the document from the running service. */
function writeReference() {
  const viewer = createRequire(import.meta.url)
    .resolve('@scalar/fastify-api-reference')
    .replace(/index\.js$/, 'js/standalone.js');
  const source = (name) => readFileSync(join(DOCS, '.vitepress/api', name), 'utf8');
  const files = {
    '%scalar.js%': writeAsset(
      'scalar.js',
      readFileSync(viewer, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
    ),
    '%reference.js%': writeAsset('reference.js', source('reference.js')),
    '%style.css%': writeAsset('reference.css', source('style.css')),
  };
  for (const [audience, { name, security }] of Object.entries(APIS)) {
    const values = {
      ...files,
      '%BASE%': BASE_PATH,
      '%AUDIENCE%': audience,
      '%NAME%': name,
      '%SECURITY%': security,
      '%LINKS%': linksTo(audience),
    };
    const page = source('page.html').replaceAll(/%[\w.]+%/g, (key) => values[key]);
    write(`api/${audience}/index.html`, page);
    if (audience === 'bot') write('api/index.html', page);
  }
}

function linksTo(current) {
  return Object.entries(APIS)
    .map(([audience, { name }]) => {
      const state = audience === current ? ' aria-current="page"' : '';
      return `<a href="${BASE_PATH}/docs/api/${audience}/"${state}>${name}</a>`;
    })
    .join('');
}

/** Writes a file that browsers may cache forever, because its name contains a hash of its content, and returns its address. */
function writeAsset(name, content) {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
  const path = `assets/${name.replace('.', `.${hash}.`)}`;
  write(path, content);
  return `${BASE_PATH}/docs/${path}`;
}

function write(path, content) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), content);
}
