import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { readFileSync } from 'node:fs';
import { pageHeaders } from '../../../platform/http/page-headers.js';
import { notFound } from '../../../platform/http/problem.js';

const read = (name: string) => readFileSync(new URL(`./site/${name}`, import.meta.url));

/** The files by their names below `/console/`, with their types. */
const FILES = new Map([
  ['link', { type: 'text/html; charset=utf-8', body: read('link.html') }],
  ['link.css', { type: 'text/css; charset=utf-8', body: read('link.css') }],
  ['link.js', { type: 'text/javascript; charset=utf-8', body: read('link.js') }],
]);
const HEADERS = pageHeaders("script-src 'self'; style-src 'self'; connect-src 'self'");

/** The page on which an agent opens a link to sign in. The token is in the hash, so it reaches no server with the page. */
@Controller('console')
@ApiExcludeController()
export class ConsoleController {
  @Get(':name')
  file(@Param('name') name: string, @Res() response: Response): void {
    const { type, body } = FILES.get(name) ?? notFound('File');
    response.set({ 'Content-Type': type, ...HEADERS, 'Referrer-Policy': 'no-referrer' });
    response.set({ 'Cache-Control': 'no-cache', 'Content-Length': String(body.length) }).end(body);
  }
}
