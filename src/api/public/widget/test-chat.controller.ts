import { createHash } from 'node:crypto';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Config } from '../../../platform/config/config.js';
import { notFound } from '../../../platform/errors/problem.js';
import { FileLinks } from '../../../files/file-links.js';
import { fileDirectives, pageHeaders } from '../../page-headers.js';
import { withBasePath } from '../addresses.js';

const STYLE =
  'body { max-width: 40rem; margin: 3rem; font: 1rem / 1.5 system-ui, sans-serif; } h1 { font-size: 1.5rem; }';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const KEY = /^prl_wk_[A-Za-z0-9]{1,40}$/;

const WORDS = {
  en: { title: 'Test chat', hint: 'Write as a visitor. The chat appears in your console.' },
  de: { title: 'Testchat', hint: 'Schreiben Sie als Besucher. Der Chat erscheint in Ihrer Konsole.' },
};

/** A page with nothing but an organization's widget, for its administrator to try. The key is public. */
@Controller('test-chat')
@ApiExcludeController()
export class TestChatController {
  constructor(
    private readonly config: Config,
    private readonly links: FileLinks,
  ) {}

  @Get()
  page(@Query('key') key: unknown, @Query('lang') lang: unknown, @Res() response: Response): void {
    if (typeof key !== 'string' || !KEY.test(key)) notFound('Page');
    const language = lang === 'de' ? 'de' : 'en';
    const policy = `script-src 'self'; style-src 'self' 'sha256-${STYLE_HASH}'; ${fileDirectives(this.links.origins)}`;
    response.set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache', ...pageHeaders(policy) });
    response.end(withBasePath(pageOf(key as string, language), this.config.basePath));
  }
}

function pageOf(key: string, language: keyof typeof WORDS): string {
  const { title, hint } = WORDS[language];
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <style>${STYLE}</style>
    <script async src="/widget.js" data-widget-key="${key}" data-open></script>
  </head>
  <body>
    <h1>${title}</h1>
    <p>${hint}</p>
  </body>
</html>
`;
}
