import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { extname } from 'node:path';
import { Config } from '../../../platform/config/config.js';
import { FileLinks } from '../../../files/file-links.js';
import { fileDirectives, pageHeaders } from '../../page-headers.js';
import { notFound } from '../../../platform/errors/problem.js';
import { answerFile, IMMUTABLE } from '../../static-file.js';
import { ConsoleFiles } from './console-files.js';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** @param origins of files */
function headersWith(origins: readonly string[]): Record<string, string> {
  const policy = `script-src 'self'; style-src 'self'; ${fileDirectives(origins)}; object-src 'none'`;
  // No page that pictures come from learns of the console.
  return { ...pageHeaders(policy, "'self'"), 'Referrer-Policy': 'no-referrer' };
}

/**
 * The console: one page at every address below `/console`, which shows what its address names. The token of a link to sign
 * in is in the hash, so it reaches no server with the page.
 */
@Controller('console')
@ApiExcludeController()
export class ConsoleController {
  constructor(
    private readonly files: ConsoleFiles,
    private readonly links: FileLinks,
    private readonly config: Config,
  ) {}

  @Get('assets/:name')
  asset(@Req() request: Request, @Res() response: Response, @Param('name') name: string): Promise<void> {
    const file = this.files.assets.get(name) ?? notFound('File');
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    return answerFile(request, response, file, {
      ...headersWith([]),
      'Content-Type': type,
      'Cache-Control': IMMUTABLE,
    });
  }

  /** What makes the console an app. Its service worker may handle all pages below `/console/`, and is never cached. */
  @Get('app/:name')
  app(@Req() request: Request, @Res() response: Response, @Param('name') name: string): Promise<void> {
    const file = this.files.app.get(name) ?? notFound('File');
    return answerFile(request, response, file, {
      ...headersWith([]),
      'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
      'Cache-Control': 'no-cache',
      'Service-Worker-Allowed': `${this.config.basePath}/console/`,
    });
  }

  @Get(['', ':view', ':view/:id', ':view/:id/:chatId'])
  page(@Req() request: Request, @Res() response: Response): Promise<void> {
    const page = this.files.page ?? notFound('File');
    return answerFile(request, response, page, {
      ...headersWith(this.links.origins),
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
    });
  }
}
