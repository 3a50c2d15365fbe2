import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { notFound } from '../common/problem.js';
import { WidgetFiles } from './widget-files.js';

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
    this.answer(request, response, 'widget.js', `public, max-age=${LAUNCHER_AGE}, stale-while-revalidate=86400`);
  }

  /** Their names change with what is in them. */
  @Get('widget/:name')
  chunk(@Req() request: Request, @Res() response: Response, @Param('name') name: string): void {
    this.answer(request, response, name, `public, max-age=${YEAR}, immutable`);
  }

  private answer(request: Request, response: Response, name: string, cacheControl: string): void {
    const { etag, bodies } = this.files.find(name) ?? notFound('File');
    const accepted = request.acceptsEncodings(bodies.map(({ encoding }) => encoding));
    const { encoding, body } = bodies.find((one) => one.encoding === accepted) ?? bodies.at(-1)!;
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
