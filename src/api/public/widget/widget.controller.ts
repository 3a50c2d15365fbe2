import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { notFound } from '../../../platform/http/problem.js';
import { PANEL, type WidgetFile, WidgetFiles } from './widget-files.js';

/** A page asks again after this time, in seconds, whether there is a newer widget. */
const LAUNCHER_AGE = 300;
const YEAR = 31_536_000;

/** The chat widget's scripts, for pages of every origin. What it may do there is asked with its requests. */
@Controller()
@ApiExcludeController()
export class WidgetController {
  constructor(private readonly files: WidgetFiles) {}

  @Get('widget.js')
  launcher(@Req() request: Request, @Res() response: Response): void {
    const file = this.files.launcher ?? notFound('File');
    this.answer(request, response, file, `public, max-age=${LAUNCHER_AGE}, stale-while-revalidate=86400`);
  }

  /**
   * Its name changes with what is in it. A launcher of another release, from a cache or another node, asks for a panel that
   * is not here and gets ours.
   */
  @Get('widget/:name')
  panel(@Req() request: Request, @Res() response: Response, @Param('name') name: string): void {
    const file = (PANEL.test(name) && this.files.panel) || notFound('File');
    const isNamed = file.name === name;
    this.answer(request, response, file, isNamed ? `public, max-age=${YEAR}, immutable` : 'no-cache');
  }

  private answer(request: Request, response: Response, { etag, bodies }: WidgetFile, cacheControl: string): void {
    // One by one: of several the browser's order would decide, and that names the smallest last.
    const { encoding, body } = bodies.find((one) => request.acceptsEncodings(one.encoding)) ?? bodies.at(-1)!;
    response.set({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': cacheControl,
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    if (request.headers['if-none-match']?.includes(etag)) return void response.status(304).end();
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.set('Content-Length', String(body.length)).end(body);
  }
}
