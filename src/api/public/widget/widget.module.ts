import { Module } from '@nestjs/common';
import { WidgetController } from './widget.controller.js';
import { WidgetFiles } from './widget-files.js';

@Module({ controllers: [WidgetController], providers: [WidgetFiles] })
export class WidgetModule {}
