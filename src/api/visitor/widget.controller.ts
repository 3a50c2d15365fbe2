import { Controller, Get, Headers, Param, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { hasVersion } from '../../platform/http/responses/etag.js';
import { Address } from '../../auth/limits/address.js';
import { WidgetRateGuard } from '../../auth/limits/visitor-limits.js';
import type { WidgetAnswer } from '../../organizations/public-widgets.js';
import { JsonText } from '../../platform/http/server/http.adapter.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { Describes } from '../describes.js';
import { ETAG_HEADER } from '../versioned.js';
import { PictureQuery, PublicWidgetResponse, WidgetQuery } from './widget.dto.js';
import { WidgetService } from './widget.service.js';

/** How long browsers and caches may keep the settings, in seconds. */
const MAX_AGE_SECONDS = 300;

/** Only a picture, for browsers that open its address too. */
const PICTURE_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  Vary: 'Origin',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** An organization's widget settings, for any page with its public key (CONTRACT: Widget settings). */
@Controller('api/visitor/widget')
@ApiTags('Widget')
@ApiProblems('rate_limited', 'internal_error', 'unavailable')
export class WidgetController {
  constructor(private readonly widgets: WidgetService) {}

  @Get()
  @Describes('getWidget', 200, PublicWidgetResponse, {
    summary: 'Get the settings of the widget',
    description: 'Needs no token. Browsers may keep the response for five minutes.',
    problems: ['validation_failed', 'not_found', 'forbidden'],
    headers: ETAG_HEADER,
  })
  @ApiHeader({ name: 'If-None-Match', required: false, description: 'The `ETag` of an earlier response' })
  @ApiResponse({ status: 304, description: 'Nothing changed since that response', headers: ETAG_HEADER })
  @UseGuards(WidgetRateGuard)
  async get(
    @Query() query: WidgetQuery,
    @Headers('origin') origin: string | undefined,
    @Address() address: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    answer(request, response, await this.widgets.get(query, { origin, address }));
  }

  @Get('pictures/:name')
  @ApiOperation({
    operationId: 'getWidgetPicture',
    summary: 'Get a picture of the widget',
    description: 'Needs no token. Its content never changes: browsers may keep it for a year.',
  })
  @ApiOkResponse({ content: { 'image/png': { schema: {} }, 'image/webp': { schema: {} } } })
  @ApiProblems('validation_failed', 'not_found', 'forbidden')
  @UseGuards(WidgetRateGuard)
  async getPicture(
    @Param('name') name: string,
    @Query() { key }: PictureQuery,
    @Headers('origin') origin: string | undefined,
    @Address() address: string,
    @Res() response: Response,
  ): Promise<void> {
    const { type, content } = await this.widgets.getPicture(key, name, { origin, address });
    response.set({ ...PICTURE_HEADERS, 'Content-Type': type, 'Content-Length': `${content.length}` }).end(content);
  }
}

// `Vary`: a cache must not serve this response to another origin, which the allow-list may forbid.
function answer({ headers }: Request, response: Response, { json, version }: WidgetAnswer): void {
  const etag = `"${version}"`;
  response.set({ ETag: etag, 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`, Vary: 'Origin' });
  if (hasVersion(headers['if-none-match'], etag)) return void response.status(304).end();
  response.json(new JsonText(json));
}
