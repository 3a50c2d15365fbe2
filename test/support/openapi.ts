import { expect } from '@jest/globals';
import { type AnySchemaObject, Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import request from 'supertest';

/** What is checked of an answer. */
export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: unknown;
  text: string;
}

/** Headers that are documented wherever they are sent. */
const HEADERS = /^(?:etag|retry-after|idempotent-replayed|www-authenticate|set-cookie|x-request-id)$/;

const pointerTo = (...parts: string[]) =>
  `document#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

const TEXTS: ReadonlySet<string> = new Set(['text/csv', 'text/event-stream']);

/** The OpenAPI document of an audience, and answers compared with it. */
export class OpenApi {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly routes: [path: string, pattern: RegExp][];

  constructor(readonly document: any) {
    formats.default(this.ajv);
    // Fields that the document does not name must not be answered.
    for (const schema of Object.values<AnySchemaObject>(document.components.schemas))
      if (schema.type === 'object') schema.additionalProperties = false;
    this.ajv.addSchema(document, 'document');
    // A path without a parameter comes before one with it.
    this.routes = Object.keys(document.paths)
      .toSorted()
      .map((path) => [path, new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`)]);
  }

  static async read(url: string, path: string): Promise<OpenApi> {
    return new OpenApi((await request(url).get(path).expect(200)).body);
  }

  /** The document that the build has written. @param name of its audience */
  static built(name: string): OpenApi {
    const file = new URL(`../../dist/openapi/${name}.json`, import.meta.url);
    return new OpenApi(JSON.parse(readFileSync(file, 'utf8')));
  }

  /** Every operation as `GET /path`. */
  get operations(): [string, any][] {
    return Object.entries<any>(this.document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, operation]): [string, any] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
  }

  /** The documented path of an address; undefined without an operation of this method. */
  pathOf(address: string, method: string): string | undefined {
    const exact = this.routes.find(([path]) => path === address) ?? this.routes.find(([, one]) => one.test(address));
    return exact && this.document.paths[exact[0]][method] ? exact[0] : undefined;
  }

  /** Checks an answer against what the document promises for this operation and status. */
  check(path: string, method: string, answer: Answer): void {
    expect([path, method, answer.status, this.findFaults(path, method, answer)]).toEqual([
      path,
      method,
      answer.status,
      [],
    ]);
  }

  /** Checks a value against a schema of the document. */
  checkSchema(name: string, value: unknown): void {
    const validate = this.validatorOf(pointerTo('components', 'schemas', name));
    expect([name, validate(value), validate.errors, value]).toEqual([name, true, null, value]);
  }

  findFaults(path: string, method: string, { status, headers, body, text }: Answer): unknown[] {
    const response = this.document.paths[path]?.[method]?.responses[status];
    if (!response) return ['the status is not documented'];
    const named = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    const faults: unknown[] = Object.keys(headers)
      .filter((name) => HEADERS.test(name) && !named.includes(name))
      .map((name) => `the header ${name} is not documented`);
    const type = headers['content-type']?.split(';')[0];
    if (!response.content) return type === undefined ? faults : [...faults, 'a body is not documented'];
    if (!response.content[type ?? '']) return [...faults, `the type ${type} is not documented`];
    const validate = this.validatorOf(
      pointerTo('paths', path, method, 'responses', String(status), 'content', type!, 'schema'),
    );
    // A test may ask for the text of an answer.
    const value: unknown = TEXTS.has(type!) ? text : typeof body === 'string' ? JSON.parse(body) : body;
    return validate(value) ? faults : [...faults, ...validate.errors!];
  }

  private validatorOf($ref: string): ValidateFunction {
    const known = this.validators.get($ref) ?? this.ajv.compile({ $ref });
    this.validators.set($ref, known);
    return known;
  }
}
