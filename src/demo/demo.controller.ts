import { Controller, Get, Header } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { DemoService } from './demo.service.js';

const PAGE = readFileSync(new URL('./demo.html', import.meta.url), 'utf8');
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'";

/** The chat of the demo's visitor in a plain page, over Socket.IO. */
@Controller('demo')
export class DemoController {
  constructor(private readonly demo: DemoService) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', POLICY)
  async page(): Promise<string> {
    await this.demo.getSession();
    return PAGE;
  }

  @Get('session')
  @Header('Cache-Control', 'no-store')
  session(): Promise<{ token: string; chatId: string }> {
    return this.demo.getSession();
  }
}
