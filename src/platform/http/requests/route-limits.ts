import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { BodySize } from '../../validation/body-size.js';
import { type Class, rulesOf, sizeOfClass } from '../../validation/validation-rules.js';

/** Allowance beyond what a body's class declares: ignored fields and white space. */
const EXTRA: BodySize = { bytes: 1_024, values: 500 };
/** Byte limits are rounded up to a multiple of this. */
const STEP_BYTES = 4_096;

/** A body that is parsed as JSON. */
interface JsonLimits {
  body?: 'json';
  /** Maximum bytes of the body. Default: what the class of the body can need. */
  bytes?: number;
  /** Milliseconds until the request is answered with 503; null for none. Default: `TIME_LIMITS_MS.request`. */
  deadlineMs?: number | null;
}

/** A body that the handler reads as it arrives: a `BodyStream` in place of the DTO. */
interface StreamLimits {
  body: 'stream';
  /** Maximum bytes of the body. */
  bytes: number;
  /**
   * Milliseconds until the request is answered with 503, the arrival of its body included. Within them the body may arrive
   * for longer than the server's `requestTimeout`, as long as it makes progress.
   */
  deadlineMs: number;
}

/** Sets the limits of a route, or of all routes of a controller, that differ from the defaults. */
export const RouteLimits = Reflector.createDecorator<JsonLimits | StreamLimits>();

interface Limits {
  kind: 'json' | 'stream';
  body: BodySize;
  deadlineMs?: number | null;
}

const reflector = new Reflector();
const limitsOfHandler = new WeakMap<object, Limits>();

/** The limits of the called route, computed once per route. */
export function limitsOf(context: ExecutionContext): Limits {
  const handler = context.getHandler();
  let limits = limitsOfHandler.get(handler);
  if (!limits) limitsOfHandler.set(handler, (limits = readLimits(context.getClass(), handler)));
  return limits;
}

/** The classes of a route's body and query; undefined without one that has rules. */
export interface Parameters {
  body: Class | undefined;
  query: Class | undefined;
}

const parametersOfHandler = new WeakMap<object, Parameters>();

/** The classes of the called route, read once per route. */
export function parametersOf(context: ExecutionContext): Parameters {
  const handler = context.getHandler();
  let parameters = parametersOfHandler.get(handler);
  if (!parameters) {
    const dtoOf = (kind: RouteParamtypes) => asDto(classOf(context.getClass(), handler.name, kind));
    parameters = { body: dtoOf(RouteParamtypes.BODY), query: dtoOf(RouteParamtypes.QUERY) };
    parametersOfHandler.set(handler, parameters);
  }
  return parameters;
}

/** The limits of a body of this class: enough for every valid one, however its texts are escaped. */
export function limitOfBody(type: unknown): BodySize {
  const dto = asDto(type);
  const { bytes, values } = dto ? sizeOfClass(dto) : { bytes: 0, values: 0 };
  return { bytes: Math.ceil((bytes + EXTRA.bytes) / STEP_BYTES) * STEP_BYTES, values: values + EXTRA.values };
}

// oxlint-disable-next-line typescript/no-unsafe-function-type -- the type of Nest
function readLimits(type: Class, handler: Function): Limits {
  const own = reflector.getAllAndOverride(RouteLimits, [handler, type]) as JsonLimits | StreamLimits | undefined;
  const body = limitOfBody(classOf(type, handler.name, RouteParamtypes.BODY));
  return { kind: own?.body ?? 'json', body: { ...body, bytes: own?.bytes ?? body.bytes }, deadlineMs: own?.deadlineMs };
}

/** The class of the `@Body()` or `@Query()` parameter; undefined without one. */
function classOf(type: Class, name: string, kind: RouteParamtypes): unknown {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) ?? {}) as Record<string, { index: number }>;
  const key = Object.keys(parameters).find((one) => one.startsWith(`${kind}:`));
  const types = Reflect.getMetadata('design:paramtypes', type.prototype as object, name) as unknown[];
  return key === undefined ? undefined : types[parameters[key]!.index];
}

function asDto(type: unknown): Class | undefined {
  const isDto = typeof type === 'function' && type !== Object && rulesOf(type as Class).fields.length > 0;
  return isDto ? (type as Class) : undefined;
}
