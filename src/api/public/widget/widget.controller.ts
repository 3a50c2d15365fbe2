import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { notFound } from '../../../platform/errors/problem.js';
import { answerFile, IMMUTABLE, type StaticFile } from '../../static-file.js';
import { WidgetFiles } from './widget-files.js';

/** How long browsers may cache the launcher before they check for a newer one, in seconds. */
const LAUNCHER_AGE_SECONDS = 300;

/** The scripts of the chat widget, for pages of every origin. Access is checked when the widget sends requests. */
@Controller()
@ApiExcludeController()
export class WidgetController {
  constructor(private readonly files: WidgetFiles) {}

  @Get('widget.js')
  launcher(@Req() request: Request, @Res() response: Response): Promise<void> {
    const file = this.files.launcher ?? notFound('File');
    return this.answer(
      request,
      response,
      file,
      `public, max-age=${LAUNCHER_AGE_SECONDS}, stale-while-revalidate=86400`,
    );
  }

  /**
   * Serves the panel, its parts and its words, whose names change with their content. A launcher of another release, from a
   * cache or another node, may ask for a file that does not exist here: it gets the current one.
   */
  @Get('widget/:name')
  file(@Req() request: Request, @Res() response: Response, @Param('name') name: string): Promise<void> {
    const file = this.files.find(name) ?? notFound('File');
    const isNamed = file.name === name;
    return this.answer(request, response, file, isNamed ? IMMUTABLE : 'no-cache');
  }

  private answer(request: Request, response: Response, file: StaticFile, cacheControl: string): Promise<void> {
    return answerFile(request, response, file, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': cacheControl,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
  }
}
