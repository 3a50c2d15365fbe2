import { All, Controller, Get, HttpCode, Options, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { FileDelivery } from '../../../files/delivery.service.js';
import { UploadsService } from '../../../files/uploads.service.js';
import { notFound } from '../../../platform/errors/problem.js';
import { deliverBytes } from '../../../platform/http/responses/deliver-bytes.js';
import { lengthOf, WaitingBody } from '../../../platform/http/requests/waiting-body.js';

type Signature = Record<string, unknown>;

/** Files and uploads by their signed addresses, for any page (CONTRACT: Delivery of files). */
@Controller()
@ApiExcludeController()
export class FilesController {
  constructor(
    private readonly delivery: FileDelivery,
    private readonly uploads: UploadsService,
  ) {}

  @Get('files/:id/:name')
  async read(
    @Param('id') id: string,
    @Query() { expires, signature }: Signature,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.delivery.ofLink(id, expires, signature);
    this.delivery.count(await deliverBytes(request, response, file));
  }

  @Options('files/*path')
  @HttpCode(204)
  allowReading(@Res({ passthrough: true }) response: Response): void {
    allow(response, 'GET, HEAD', 'Range, If-None-Match, If-Range');
  }

  @Put('uploads/:id')
  @HttpCode(200)
  async receive(
    @Param('id') id: string,
    @Query() signature: Signature,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const length = lengthOf(request);
    const body = new WaitingBody(request, response, length);
    const encoding = request.headers['content-encoding'];
    await this.uploads.receive(id, signature, { length, encoding, open: () => body.open() });
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store', 'Content-Length': '0' }).end();
  }

  @Options('uploads/*path')
  @HttpCode(204)
  allowSending(@Res({ passthrough: true }) response: Response): void {
    allow(response, 'PUT', 'Content-Type');
  }

  @All(['files/*path', 'uploads/*path'])
  others(): never {
    return notFound('File');
  }
}

function allow(response: Response, methods: string, headers: string): void {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': headers,
    'Access-Control-Max-Age': '86400',
  });
}
