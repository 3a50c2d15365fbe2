import { Module } from '@nestjs/common';
import { SdkController } from './sdk.controller.js';

/** The packages that bots and visitors' clients install from this service. */
@Module({ controllers: [SdkController] })
export class SdkModule {}
