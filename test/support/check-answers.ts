import { afterEach } from '@jest/globals';
import { type Response, Test } from 'supertest';
import { OpenApi } from './openapi.js';

// Set up before every spec of the default suite: each answer that a spec gets of a documented route is compared with the
// OpenAPI document, so that a document that is wrong fails the test that shows it.

let isIgnored = false;

export default function setUp(): void {
  afterEach(() => {
    isIgnored = false;
  });
}

/** For a test that stores something that the service never would, and reads it. */
export function ignoreDocuments(): void {
  isIgnored = true;
}

const documents = new Map<string, OpenApi>();

function documentOf(audience: string): OpenApi {
  const known = documents.get(audience) ?? OpenApi.built(audience);
  documents.set(audience, known);
  return known;
}

function findFaults(method: string, url: string, response: Response): unknown[] {
  const { pathname } = new URL(url);
  const [, audience] = /^\/api\/(bot|visitor|agent|admin)\//.exec(pathname) ?? [];
  if (audience === undefined || isIgnored || method === 'HEAD') return [];
  const document = documentOf(audience);
  const path = document.pathOf(pathname, method.toLowerCase());
  return path === undefined ? [] : document.findFaults(path, method.toLowerCase(), response);
}

type Assert = (error: Error | null, response: Response | undefined, done: (error: Error | null) => void) => void;
const prototype = Test.prototype as unknown as { assert: Assert; method: string; url: string };
const { assert } = prototype;

prototype.assert = function (this: typeof prototype, error, response, done) {
  const faults = response ? findFaults(this.method, this.url, response) : [];
  if (faults.length === 0) return assert.call(this, error, response, done);
  const answer = JSON.stringify({ body: response!.body, faults }, null, 1);
  done(new Error(`${this.method} ${this.url} answered ${response!.status}, not as documented: ${answer}`));
};
