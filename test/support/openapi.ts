import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import request, { type Response } from 'supertest';

/** The OpenAPI document of an audience, and answers compared with it. */
export class OpenApi {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });

  private constructor(readonly document: any) {
    formats.default(this.ajv);
    // Fields that the document does not name must not be answered.
    for (const schema of Object.values<any>(document.components.schemas)) schema.additionalProperties = false;
    this.ajv.addSchema(document, 'document');
  }

  static async read(url: string, path: string): Promise<OpenApi> {
    return new OpenApi((await request(url).get(path).expect(200)).body);
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

  /** Checks an answer against what the document promises for this operation and status. */
  check(path: string, method: string, { status, headers, body, text }: Response): void {
    const response = this.document.paths[path]?.[method]?.responses[status];
    expect([path, method, status, response && 'documented']).toEqual([path, method, status, 'documented']);
    if (status === 204) return;
    const type = headers['content-type']!.split(';')[0]!;
    const pointer = ['paths', path, method, 'responses', String(status), 'content', type, 'schema'];
    const $ref = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const validate = this.ajv.compile({ $ref });
    expect([path, method, status, validate(type === 'text/csv' ? text : body), validate.errors]).toEqual([
      path,
      method,
      status,
      true,
      null,
    ]);
  }
}
