import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenApi } from '../support/openapi.js';
import { knownRoutes } from '../support/routes.js';
import { Parley } from '../support/parley.js';

describe('the OpenAPI documents', () => {
  let parley: Parley;
  const documents = new Map<string, OpenApi>();

  beforeAll(async () => {
    parley = await Parley.start();
    for (const audience of ['bot', 'visitor', 'agent', 'admin'])
      documents.set(audience, await OpenApi.read(parley.url, `/api/${audience}/docs`));
  });
  afterAll(() => parley.stop());

  it('the four documents have every route of the service, and no other', () => {
    const routes = knownRoutes(parley)
      .filter((route) => / \/api\/(?:bot|visitor|agent|admin)\//.test(route) && !route.endsWith('/docs'))
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
    const documented = [...documents.values()].flatMap(({ operations }) => operations.map(([name]) => name));
    expect(documented.toSorted()).toEqual(routes.toSorted());
  });

  it.each(['bot', 'visitor', 'agent', 'admin'])(
    'the %s document is a file: with a tag, and compressed',
    async (audience) => {
      const read = (headers: Record<string, string>) => fetch(`${parley.url}/api/${audience}/docs`, { headers });
      const plain = await (await read({ 'accept-encoding': 'identity' })).json();
      for (const encoding of ['br', 'gzip']) {
        const answer = await read({ 'accept-encoding': encoding });
        expect(answer.headers.get('content-encoding')).toBe(encoding);
        expect(await answer.json()).toEqual(plain);
        const tag = answer.headers.get('etag')!;
        expect(tag).toMatch(/^"/);
        const again = await read({ 'accept-encoding': encoding, 'if-none-match': tag });
        expect([again.status, await again.text()]).toEqual([304, '']);
        expect(again.headers.get('vary')).toBe('Accept, Accept-Encoding');
      }
      const page = await fetch(`${parley.url}/api/${audience}/docs`, {
        headers: { accept: 'text/html' },
        redirect: 'manual',
      });
      expect(page.headers.get('location')).toBe(`/docs/api/${audience}/`);
    },
  );

  it('each operation has a unique name, a description, known tags and a security scheme', () => {
    for (const [audience, { document, operations }] of documents) {
      const schemes = Object.keys(document.components.securitySchemes);
      const tags = document.tags.map(({ name }: { name: string }) => name);
      const ids = operations.map(([, { operationId }]) => operationId);
      expect([audience, ids.filter((id, at) => ids.indexOf(id) !== at || !/^[a-z][A-Za-z]+$/.test(id))]).toEqual([
        audience,
        [],
      ]);
      for (const [name, { summary, description, security, tags: own }] of operations) {
        expect([name, Boolean(summary), Boolean(description)]).toEqual([name, true, true]);
        expect([name, own.filter((tag: string) => !tags.includes(tag))]).toEqual([name, []]);
        expect([name, security.flatMap(Object.keys).filter((one: string) => !schemes.includes(one))]).toEqual([
          name,
          [],
        ]);
      }
    }
  });

  it('only signing in, a session, and the settings and pictures of the widget need no token', () => {
    const open = [...documents.values()].flatMap(({ operations }) =>
      operations
        .filter(
          ([, { security }]) => security.length === 0 || security.some((one: object) => Object.keys(one).length === 0),
        )
        .map(([name]) => name),
    );
    expect(open.toSorted()).toEqual([
      'GET /api/visitor/widget',
      'GET /api/visitor/widget/pictures/{name}',
      'POST /api/agent/password-reset',
      'POST /api/agent/session',
      'POST /api/agent/session/link',
      'POST /api/agent/session/link/agent',
      'POST /api/visitor/link',
      'POST /api/visitor/link/continue',
      'POST /api/visitor/link/not-me',
      'POST /api/visitor/sessions',
    ]);
  });
});
