import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hasVersion } from '../../../platform/http/responses/etag.js';
import { notFound } from '../../../platform/errors/problem.js';

const NAMES = ['parley-bot.tgz', 'parley-visitor.tgz'];
// The folder of the packages, seen from the built service or from the sources.
const FOLDERS = ['../../../../sdk/', '../../../../dist/sdk/'].map((path) => new URL(path, import.meta.url));

interface Package {
  body: Buffer;
  etag: string;
}

/** The packages of this release, for `npm install` (CONTRACT: Running Parley). They are small and kept in memory. */
@Controller('sdk')
@ApiExcludeController()
export class SdkController {
  private readonly packages = new Map(
    NAMES.flatMap((name) => {
      const url = FOLDERS.map((folder) => new URL(name, folder)).find((one) => existsSync(one));
      return url ? [[name, toPackage(readFileSync(url))] as const] : [];
    }),
  );

  @Get(':name')
  file(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    const { body, etag } = this.packages.get(name) ?? notFound('File');
    response.set({ 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache', ETag: etag });
    if (hasVersion(request.headers['if-none-match'], etag)) return void response.status(304).end();
    response.set('Content-Length', String(body.length)).end(body);
  }
}

function toPackage(body: Buffer): Package {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
