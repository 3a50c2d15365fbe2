import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller.js';
import { ConsoleFiles } from './console-files.js';

@Module({ controllers: [ConsoleController], providers: [ConsoleFiles] })
export class ConsoleModule {}
