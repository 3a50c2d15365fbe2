// An empty application with Parley's framework and packages. It shows what a start costs without our own code, and the framework's
// cheapest response without tuning. parts/start.mjs and parts/send.mjs start it as a separate process.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebSocketGateway } from '@nestjs/websockets';
import 'class-transformer';
import 'class-validator';
import 'express';
import 'ipaddr.js';
import 'jose';
import { Logger, LoggerModule } from 'nestjs-pino';
import 'p-limit';
import 'pg';
import 'pino';
import 'pino-pretty';
import 'prom-client';
import 'proxy-addr';
import 'rate-limiter-flexible';
import 'socket.io';
import 'socket.io-parser';
import 'typeid-js';
import { DataSource } from 'typeorm';
import 'undici';

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;

class Health {
  constructor(dataSource) {
    this.dataSource = dataSource;
  }

  live() {
    return { status: 'ok' };
  }

  async ready() {
    await this.dataSource.query('SELECT 1');
    return { status: 'ok' };
  }
}
Reflect.defineMetadata('design:paramtypes', [DataSource], Health);
Get('live')(Health.prototype, 'live', Object.getOwnPropertyDescriptor(Health.prototype, 'live'));
Get('ready')(Health.prototype, 'ready', Object.getOwnPropertyDescriptor(Health.prototype, 'ready'));
Controller('health')(Health);

class Gateway {}
WebSocketGateway({ namespace: '/visitor' })(Gateway);

class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, poolSize: Number(DATABASE_POOL_SIZE) }),
    EventEmitterModule.forRoot(),
    LoggerModule.forRoot({ pinoHttp: { level: 'error' }, forRoutes: [] }),
  ],
  controllers: [Health],
  providers: [Gateway],
})(App);

const app = await NestFactory.create(App, { bufferLogs: true });
app.useLogger(app.get(Logger));
app.useWebSocketAdapter(new IoAdapter(app));
SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, new DocumentBuilder().build()), { ui: false });
await app.listen(Number(PORT), HOST);
