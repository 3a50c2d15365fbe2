import { createHash } from 'node:crypto';
import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { fill } from '../../../mail/letters/letter.js';
import { wordsOf } from '../../../mail/letters/languages.js';
import { languageOf } from '../../../platform/locale/languages.js';
import { Unsubscribing } from '../../../mail/model/unsubscribing.service.js';
import { escapeHtml } from '../../../mail/letters/layout.js';

const STYLE =
  'body { max-width: 30rem; margin: 3rem auto; padding: 0 1rem; font: 1rem / 1.5 system-ui, sans-serif; } button { font: inherit; padding: 0.5rem 1rem; }';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};

/** Unsubscribing from mails about missed answers (CONTRACT: E-mail). Mail scanners open links, so GET changes nothing. */
@Controller('api/mail/unsubscribe')
@ApiExcludeController()
export class UnsubscribeController {
  constructor(private readonly unsubscribing: Unsubscribing) {}

  @Get(':token')
  async ask(@Param('token') token: string, @Res() response: Response): Promise<void> {
    response.set(HEADERS).end(pageOf(await this.unsubscribing.find(token), 'ask'));
  }

  @Post(':token')
  @HttpCode(200)
  async unsubscribe(@Param('token') token: string, @Res() response: Response): Promise<void> {
    response.set(HEADERS).end(pageOf(await this.unsubscribing.unsubscribe(token), 'done'));
  }
}

function pageOf(mail: { organizationName: string; language: string | null }, step: 'ask' | 'done'): string {
  const language = languageOf(mail.language ?? 'en');
  const { unsubscribe, unsubscribeAsk, unsubscribed } = wordsOf(language);
  const text = fill(step === 'ask' ? unsubscribeAsk : unsubscribed, { name: mail.organizationName });
  const form = step === 'ask' ? `<form method="post"><button>${escapeHtml(unsubscribe)}</button></form>` : '';
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(unsubscribe)}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <p>${escapeHtml(text)}</p>
    ${form}
  </body>
</html>
`;
}
