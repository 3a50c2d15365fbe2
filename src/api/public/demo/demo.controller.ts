import { Controller, Get, Header, Headers, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { bearerToken } from '../../../platform/http/requests/bearer.js';
import { Config } from '../../../platform/config/config.js';
import { FileLinks } from '../../../files/file-links.js';
import { fileDirectives, pageHeaders } from '../../page-headers.js';
import { notFound } from '../../../platform/errors/problem.js';
import { withBasePath } from '../addresses.js';
import { DemoService, type DemoSession } from './demo.service.js';

const FOLDER = new URL('./site/', import.meta.url);
const FILES = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER))]));
const PAGE = 'index.html';
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A small site with the widget, next to the commands that make the bot write. */
@Controller('demo')
@ApiExcludeController()
export class DemoController {
  private readonly page: Buffer;

  constructor(
    private readonly demo: DemoService,
    private readonly links: FileLinks,
    { basePath }: Config,
  ) {
    this.page = Buffer.from(withBasePath(FILES.get(PAGE)!.toString(), basePath));
  }

  @Get()
  home(@Res() response: Response): void {
    this.answer(response, PAGE);
  }

  /**
   * The data of the demo page, for requests with the key that is printed at start: neither the address nor the headers
   * of a request prove where it comes from.
   */
  @Get('session')
  @Header('Cache-Control', 'no-store')
  session(@Headers('authorization') authorization?: string): Promise<DemoSession> {
    return this.demo.getSession(bearerToken(authorization));
  }

  /** A link that signs in to the demo, for the page that opens the console; with the key, as the session. */
  @Post('sign-in-link')
  @Header('Cache-Control', 'no-store')
  async signInLink(@Headers('authorization') authorization?: string): Promise<{ token: string }> {
    return { token: await this.demo.makePageLink(bearerToken(authorization)) };
  }

  @Get(':name')
  file(@Param('name') name: string, @Res() response: Response): void {
    this.answer(response, name);
  }

  private answer(response: Response, name: string): void {
    this.demo.getDemo();
    const body = name === PAGE ? this.page : (FILES.get(name) ?? notFound('File'));
    const policy = `script-src 'self'; style-src 'self'; ${fileDirectives(this.links.origins)}`;
    response.set({ 'Content-Type': TYPES[extname(name)]!, ...pageHeaders(policy) });
    response.set({ 'Cache-Control': 'no-cache', 'Content-Length': String(body.length) }).end(body);
  }
}
