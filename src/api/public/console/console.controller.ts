import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { extname } from 'node:path';
import { FileLinks } from '../../../files/file-links.js';
import { fileDirectives, pageHeaders } from '../../page-headers.js';
import { notFound } from '../../../platform/errors/problem.js';
import { answerFile, IMMUTABLE } from '../../static-file.js';
import { ConsoleFiles } from './console-files.js';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
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
