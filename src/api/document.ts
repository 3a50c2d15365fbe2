import type { INestApplicationContext, Type } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { cookieName } from '../auth/agents/agent-cookie.js';
import { malformedPath } from '../platform/http/responses/problem.dto.js';

/** The documented API of an audience. */
export interface ApiDocument {
  /** The title of the document, and its name on the page. */
  name: string;
  /** Whether its responses have the RateLimit headers. */
  reportsRate?: boolean;
  /** What its routes' paths start with. */
  prefix: string;
  /** Where the document is served. */
  url: string;
  description: string;
  /** The sections, in order, with their descriptions. */
  tags: Record<string, string>;
  /** Adds the security schemes. @param cookies the names of the session cookie over https and over plain http */
  secure: (builder: DocumentBuilder, cookies: { secure: string; plain: string }) => DocumentBuilder;
  /** Classes and schemas that no route has: what sockets and webhooks carry. */
  models?: readonly Type[];
  schemas?: NonNullable<OpenAPIObject['components']>['schemas'];
  webhooks?: NonNullable<OpenAPIObject['webhooks']>;
  /** The payload of each event that the server sends to a socket, by the event's name. */
  socketEvents?: Record<string, object>;
}

type Schemas = NonNullable<ApiDocument['schemas']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

interface Answer {
  description: string;
  headers?: Record<string, object>;
}

/** What a namespace sends: for each event the class of its payload, or several for one of them, and when it's sent. */
export type SocketEvents<Name extends string> = Record<Name, [payload: Type | readonly Type[], when: string]>;

/** The parts of a document that describe the events of a namespace. */
export function describeSocketEvents(events: SocketEvents<string>): Pick<ApiDocument, 'models' | 'socketEvents'> {
  const reference = (model: Type) => ({ $ref: getSchemaPath(model) });
  const schemas = Object.entries(events).map(([event, [payload, description]]) => {
    const [one, ...others] = [payload].flat() as [Type, ...Type[]];
    const schema = others.length > 0 ? { oneOf: [one, ...others].map(reference) } : reference(one);
    return [event, { description, ...schema }];
  });
  return {
    models: Object.values(events).flatMap(([payload]) => payload),
    socketEvents: Object.fromEntries(schemas) as Record<string, object>,
  };
}

/** The header of every response. */
const REQUEST_ID = {
  description: 'The id of the request, as in the log. Send your own in a header of this name',
  schema: { type: 'string' as const },
};
/** The headers of a response to a caller whose rate is limited. */
const RATE = {
  'RateLimit-Policy': {
    description: 'The limit of the route: `q` requests in `w` seconds. Absent when the limit is off',
    schema: { type: 'string' as const },
    example: '"bot";q=500;w=1',
  },
  RateLimit: {
    description: 'What is left: `r` requests in the next `t` seconds',
    schema: { type: 'string' as const },
    example: '"bot";r=499;t=1',
  },
};

/**
 * The OpenAPI 3.1 document of an audience, generated from its controllers.
 * @param basePath the path of PUBLIC_URL; empty without one
 */
export function createDocument(app: INestApplicationContext, api: ApiDocument, basePath = ''): OpenAPIObject {
  const { prefix, models = [], schemas = {}, webhooks, socketEvents } = api;
  const made = SwaggerModule.createDocument(app as never, configOf(api, basePath), { extraModels: [...models] });
  const paths = Object.fromEntries(Object.entries(made.paths).filter(([path]) => path.startsWith(prefix)));
  const document = toOpenApi31({
    ...made,
    paths,
    ...(webhooks && { webhooks }),
    ...(socketEvents && { 'x-socket-events': socketEvents }),
    components: { ...made.components, schemas: { ...made.components?.schemas, ...schemas } },
  }) as OpenAPIObject;
  for (const [path, item] of Object.entries(document.paths))
    for (const operation of Object.values(item) as Operation[]) complete(path, operation, headersOf(api));
  return shortNames(keepUsedSchemas(document));
}

function configOf(
  { name, description, tags, secure, ...api }: ApiDocument,
  basePath: string,
): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder().setTitle(name).setDescription(description.trim()).setVersion('1');
  for (const [tag, about] of Object.entries(tags)) builder.addTag(tag, about);
  const [safe, plain] = [true, false].map((isSecure) => cookieName({ isSecure, basePath })) as [string, string];
  const { info, components, ...config } = secure(builder, { secure: safe, plain })
    .setOpenAPIVersion('3.1.0')
    .addServer(basePath || '/', 'The installation that serves this document')
    .build();
  return {
    ...config,
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } as never },
    components: { ...components, headers: headersIn(api) },
  };
}

/** The headers that every response of an API has. */
function headersIn({
  reportsRate,
}: Pick<ApiDocument, 'reportsRate'>): NonNullable<OpenAPIObject['components']>['headers'] {
  return { 'X-Request-Id': REQUEST_ID, ...(reportsRate && RATE) };
}

function headersOf(api: ApiDocument): Record<string, object> {
  const names = Object.keys(headersIn(api) ?? {});
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Adds what holds for every operation. A path with a parameter can be malformed (`/%ff`). */
function complete(path: string, operation: Operation, headers: Record<string, object>): void {
  operation.security ??= [];
  if (path.includes('{')) operation.responses['400'] ??= malformedPath();
  for (const [status, response] of Object.entries(operation.responses as Record<string, Answer>)) {
    response.description ||= STATUS_CODES[status] ?? '';
    response.headers = { ...response.headers, ...headers };
  }
}

// The scan also finds the schemas of the other APIs.
function keepUsedSchemas(document: OpenAPIObject): OpenAPIObject {
  const all = document.components?.schemas ?? {};
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (!name || used.has(name)) continue;
      used.add(name);
      visit(all[name]);
    }
  };
  visit({ ...document, components: null });
  return withSchemas(
    document,
    Object.entries(all).filter(([name]) => used.has(name)),
  );
}

function withSchemas(document: OpenAPIObject, schemas: [string, Schemas[string]][]): OpenAPIObject {
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

/** Names the schemas as clients call them: `ChatResponse` is `Chat`, and `SendMessageDto` is `SendMessageRequest`. */
function shortNames(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]): [string, typeof schema] => [
    shortName(name),
    schema,
  ]);
  const text = JSON.stringify(
    withSchemas(
      document,
      schemas.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
  );
  if (new Set(schemas.map(([name]) => name)).size < schemas.length) throw new Error('Two schemas have one name');
  return JSON.parse(
    text.replace(
      /"#\/components\/schemas\/([^"]+)"/g,
      (_, name: string) => `"#/components/schemas/${shortName(name)}"`,
    ),
  ) as OpenAPIObject;
}

function shortName(name: string): string {
  return name.replace(/Response$/, '').replace(/Dto$/, 'Request');
}

// The library still writes `nullable` of OpenAPI 3.0; in 3.1, a list of types replaces it, or of schemas for a reference.
function toOpenApi31(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toOpenApi31);
  if (typeof part !== 'object' || part === null) return part;
  const { nullable, ...rest } = part as Record<string, unknown>;
  if (nullable === true) allowNull(rest);
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toOpenApi31(value)]));
}

function allowNull(schema: Record<string, unknown>): void {
  const { allOf, anyOf, enum: words } = schema;
  if (Array.isArray(allOf)) {
    schema.oneOf = [...(allOf as unknown[]), { type: 'null' }];
    delete schema.allOf;
  } else if (Array.isArray(anyOf)) schema.anyOf = [...(anyOf as unknown[]), { type: 'null' }];
  else schema.type = [schema.type, 'null'];
  if (Array.isArray(words) && !words.includes(null)) schema.enum = [...(words as unknown[]), null];
}
