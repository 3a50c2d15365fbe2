import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { notFound } from '../common/problem.js';
import { DemoService, type DemoSession } from './demo.service.js';
import { isSameMachine } from './same-machine.js';

const FOLDER = new URL('./site/', import.meta.url);
const FILES = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER))]));
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' http: https:; connect-src 'self'";

/** A small site with the widget in it, and the lines that make the bot speak beside it. */
@Controller('demo')
@ApiExcludeController()
export class DemoController {
  constructor(private readonly demo: DemoService) {}

  @Get()
  page(@Res() response: Response): void {
    this.answer(response, 'index.html');
  }

  /** What the page needs; with the bot's token for whoever is on the very machine. */
  @Get('session')
  @Header('Cache-Control', 'no-store')
  session(@Req() request: Request): Promise<DemoSession> {
    return this.demo.getSession(isSameMachine(request));
  }

  @Get(':name')
  file(@Param('name') name: string, @Res() response: Response): void {
    this.answer(response, name);
  }

  private answer(response: Response, name: string): void {
    this.demo.mustExist();
    const body = FILES.get(name) ?? notFound('File');
    response.set({ 'Content-Type': TYPES[extname(name)]!, 'Content-Security-Policy': POLICY });
    response.set({ 'Cache-Control': 'no-cache', 'Content-Length': String(body.length) }).end(body);
  }
}
