import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { readFileSync } from 'node:fs';
import { FileLinks } from '../../../files/file-links.js';
import { escapeHtml } from '../../../mail/letters/layout.js';
import { wordsOf } from '../../../mail/letters/languages.js';
import { type Language, languageOf } from '../../../platform/locale/languages.js';
import { Config } from '../../../platform/config/config.js';
import { notFound } from '../../../platform/errors/problem.js';
import { fileDirectives, pageHeaders } from '../../page-headers.js';
import { withBasePath } from '../addresses.js';

const readSite = (name: string) => readFileSync(new URL(`./site/${name}`, import.meta.url));
const FILES = new Map([
  ['page.js', { type: 'text/javascript; charset=utf-8', body: readSite('page.js') }],
  ['style.css', { type: 'text/css; charset=utf-8', body: readSite('style.css') }],
]);

/**
 * The page that a link in a mail leads to (CONTRACT: E-mail). The token is in the hash, which browsers don't send, and mail scanners
 * that open the page change nothing: the visitor presses a button.
 */
@Controller('continue')
@ApiExcludeController()
export class ContinueController {
  constructor(
    private readonly config: Config,
    private readonly links: FileLinks,
  ) {}

  @Get()
  page(@Req() request: Request, @Res() response: Response): void {
    const language = languageOf(request.acceptsLanguages()[0] ?? 'en');
    const policy = `script-src 'self'; style-src 'self'; ${fileDirectives(this.links.origins)}`;
    response.set({
      'Content-Type': 'text/html; charset=utf-8',
      ...pageHeaders(policy),
      'Referrer-Policy': 'no-referrer',
    });
    response.set({ 'Cache-Control': 'no-store', Vary: 'Accept-Language' });
    response.end(withBasePath(pageIn(language), this.config.basePath));
  }

  @Get(':name')
  file(@Param('name') name: string, @Res() response: Response): void {
    const { type, body } = FILES.get(name) ?? notFound('Page');
    response.set({ 'Content-Type': type, 'Cache-Control': 'no-cache' }).end(body);
  }
}

function pageIn(language: Language): string {
  const { chatSubject, since, openChat, notMe, linkEnded, addressRemoved, tryAgain, elsewhere } = wordsOf(language);
  const words = { chatSubject, since, linkEnded, addressRemoved, tryAgain, elsewhere };
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(openChat)}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/continue/style.css" />
    <script type="module" src="/continue/page.js" data-words="${escapeHtml(JSON.stringify(words))}"></script>
  </head>
  <body>
    <main>
      <h1 id="title" tabindex="-1"></h1>
      <p id="about" dir="auto"></p>
      <p id="said" role="status"></p>
      <p id="choices" hidden>
        <button type="button" id="continue">${escapeHtml(openChat)}</button>
        <button type="button" id="not-me">${escapeHtml(notMe)}</button>
      </p>
    </main>
  </body>
</html>
`;
}
