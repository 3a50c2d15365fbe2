import { MESSAGE_METADATA } from '@nestjs/websockets/constants.js';
import type { BodySize } from '../../platform/validation/body-size.js';
import { limitOfBody } from '../../platform/http/requests/route-limits.js';

/** The largest payload of each event of these gateways: as much as the class of its body can need. */
export function limitsOfEvents(gateways: readonly { prototype: object }[]): Map<string, BodySize> {
  const limits = new Map<string, BodySize>();
  for (const [event, { bytes, values }] of gateways.flatMap(({ prototype }) => limitsOfGateway(prototype))) {
    const known = limits.get(event) ?? { bytes: 0, values: 0 };
    limits.set(event, { bytes: Math.max(known.bytes, bytes), values: Math.max(known.values, values) });
  }
  return limits;
}

function limitsOfGateway(prototype: object): [string, BodySize][] {
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = (prototype as Record<string, unknown>)[name];
    const event: unknown = typeof handler === 'function' ? Reflect.getMetadata(MESSAGE_METADATA, handler) : undefined;
    if (typeof event !== 'string') return [];
    // The body is the last parameter.
    const types = Reflect.getMetadata('design:paramtypes', prototype, name) as unknown[];
    return [[event, limitOfBody(types.at(-1))]];
  });
}
