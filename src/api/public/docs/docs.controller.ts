import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { extname } from 'node:path';
import { Config } from '../../../platform/config/config.js';
import { Problem } from '../../../platform/errors/problem.js';
import { pageHeaders } from '../../page-headers.js';
import { answerFile, IMMUTABLE } from '../../static-file.js';
import { DocsBuild } from './docs-build.js';
import { DocsFiles } from './docs-files.js';

const ROOT = '/docs/';
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
};
// Highlighted code and the API reference have inline styles.
const HEADERS = pageHeaders(
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
);

/** After how many seconds someone asks again for documentation that's being built. */
const BUILD_SECONDS = 5;

const waitingPage = (detail: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${BUILD_SECONDS}">
<title>Parley documentation</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 32rem; padding: 0 1rem; color-scheme: light dark }</style>
<main>
<h1>Documentation</h1>
<p role="status">${detail}. Then this page shows it by itself.</p>
</main>
</html>
`;

/** The documentation of this release: its pages, each page as Markdown, and the API reference. */
@Controller()
@ApiExcludeController()
export class DocsController {
  constructor(
    private readonly files: DocsFiles,
    private readonly build: DocsBuild,
    private readonly config: Config,
  ) {}

  @Get(['docs', 'docs/*path'])
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    const path = request.path.slice(ROOT.length);
    const name = [path, `${path}index.html`, `${path}.html`].find((one) => this.files.has(one));
    if (name !== undefined && request.path.startsWith(ROOT)) return this.answer(request, response, name);
    const moved = this.movedTo(path);
    if (moved !== undefined) return response.redirect(`${this.config.basePath}${ROOT}${moved}`);
    return this.answerMissing(request, response, path);
  }

  /** The list of the pages for language models, at the address that llmstxt.org suggests. */
  @Get('llms.txt')
  llms(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.files.has('llms.txt')
      ? this.answer(request, response, 'llms.txt')
      : this.answerUnbuilt(request, response);
  }

  /** A folder's page ends with a slash, and no other page does. */
  private movedTo(path: string): string | undefined {
    if (path === '') return this.files.isBuilt ? '' : undefined;
    if (this.files.has(`${path}/index.html`)) return `${path}/`;
    const page = path.slice(0, -1);
    return path.endsWith('/') && this.files.has(`${page}.html`) ? page : undefined;
  }

  /** Browsers get a page that helps them to find another one. */
  private async answerMissing(request: Request, response: Response, path: string): Promise<void> {
    if (!this.files.isBuilt) return this.answerUnbuilt(request, response);
    if (extname(path) || request.accepts(['json', 'html']) !== 'html') throw new Problem('not_found', 'Page not found');
    response.status(404);
    return this.answer(request, response, '404.html');
  }

  private async answerUnbuilt(request: Request, response: Response): Promise<void> {
    if (!this.build.start(() => this.files.find()))
      throw new Problem('not_found', 'This Parley was built without its documentation: run npm run build:docs');
    const detail = 'The documentation is being built, which takes about a minute';
    if (request.accepts(['json', 'html']) !== 'html')
      throw new Problem('unavailable', detail, undefined, BUILD_SECONDS);
    response.status(503).set({ ...HEADERS, 'Retry-After': `${BUILD_SECONDS}`, 'Cache-Control': 'no-store' });
    response.type('html').send(waitingPage(detail));
  }

  private async answer(request: Request, response: Response, name: string): Promise<void> {
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    const cacheControl = name.startsWith('assets/') ? IMMUTABLE : 'no-cache';
    const file = await this.files.read(name);
    return answerFile(request, response, file, { ...HEADERS, 'Content-Type': type, 'Cache-Control': cacheControl });
  }
}
