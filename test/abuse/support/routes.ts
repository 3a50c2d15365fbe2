import { ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type Class, rulesOf } from '../../../src/platform/validation/validation-rules.js';

/** How Nest stores the decorators of a route. */
const BODY = 3;
const QUERY = 4;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];

/** A route of the service, and what it takes. */
export interface Route {
  method: string;
  /** The path as declared: `/api/bot/chats/:chatId`. */
  path: string;
  body: Class | null;
  query: Class | null;
}

/** Every route that a controller declares for one method. Those for OPTIONS or every method take nothing. */
export function routesOf(app: NestExpressApplication): Route[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap(({ controllers: all }) => [...all.values()]);
  return controllers.flatMap(({ metatype }) => routesOfController(metatype as Class));
}

function routesOfController(controller: Class): Route[] {
  const prototype = controller.prototype as Record<string, unknown>;
  const base = Reflect.getMetadata('path', controller) as string;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (typeof handler !== 'function' || !Reflect.hasMetadata('method', handler)) return [];
    const method = METHODS[Reflect.getMetadata('method', handler) as number];
    if (!method) return [];
    const route = { method, body: typeOf(controller, name, BODY), query: typeOf(controller, name, QUERY) };
    const paths = [Reflect.getMetadata('path', handler) as string | string[]].flat();
    return paths.map((end) => ({
      ...route,
      path: `/${base}/${end}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1'),
    }));
  });
}

function typeOf(controller: Class, name: string, kind: number): Class | null {
  const parameters = (Reflect.getMetadata('__routeArguments__', controller, name) ?? {}) as Record<
    string,
    { index: number }
  >;
  const key = Object.keys(parameters).find((one) => one.startsWith(`${kind}:`));
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) as Class[];
  return key === undefined ? null : types[parameters[key]!.index]!;
}

/** The fields of a DTO and of its nested objects, as paths. */
export function fieldsOf(type: Class): string[][] {
  return rulesOf(type).fields.flatMap(({ name, nested }) => [
    [name],
    ...(nested ? fieldsOf(nested).map((rest) => [name, ...rest]) : []),
  ]);
}

/** A gateway's socket requests, each with its DTO. */
export function socketRequestsOf(gateway: { prototype: object }): { event: string; body: Class }[] {
  const prototype = gateway.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name] as object;
    const event = typeof handler === 'function' && (Reflect.getMetadata('message', handler) as string | undefined);
    if (!event) return [];
    const types = Reflect.getMetadata('design:paramtypes', prototype, name) as Class[];
    return [{ event, body: types.at(-1)! }];
  });
}
