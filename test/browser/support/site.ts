import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SitePage {
  /** Attributes of the script besides its src: `data-widget-key="…"`. */
  attributes?: string;
  /** Attributes of the whole page: `lang="en"`. */
  root?: string;
  head?: string;
  body?: string;
  /** The page's Content-Security-Policy; `{service}` stands for the service's origin. */
  policy?: string;
  /** Whether the line that embeds the widget ends the body. */
  hasScriptInBody?: boolean;
  /** What is at other paths: the body of a page, or a script. */
  paths?: Record<string, { body: string } | { script: string }>;
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="tan"/></svg>';

/** A customer's site on its own origin: a page with the one line that embeds the widget. */
export class Site {
  private constructor(
    private readonly server: Server,
    public page: SitePage,
  ) {}

  static async start(service: string, page: SitePage): Promise<Site> {
    const site: Site = new Site(
      createServer((request, response) => {
        if (request.url === '/picture.svg')
          return void response.setHeader('Content-Type', 'image/svg+xml').end(PICTURE);
        const { policy, paths } = site.page;
        const found = request.url === '/' ? {} : paths?.[request.url!.split('?', 1)[0]!];
        if (!found) return void response.writeHead(404).end();
        if ('script' in found) return void response.setHeader('Content-Type', 'text/javascript').end(found.script);
        if (policy) response.setHeader('Content-Security-Policy', policy.replaceAll('{service}', service));
        response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html(service, { ...site.page, ...found }));
      }),
      page,
    );
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function html(
  service: string,
  { attributes = '', root = 'lang="en"', head = '', body = '<h1>A site</h1>', hasScriptInBody = false }: SitePage,
): string {
  const script = `<script async src="${service}/widget.js" ${attributes}></script>`;
  return `<!doctype html><html ${root}><head><meta charset="utf-8"><title>A site</title><link rel="icon" href="/picture.svg">
<meta name="viewport" content="width=device-width, initial-scale=1">${head}
${hasScriptInBody ? '' : script}</head><body>${body}${hasScriptInBody ? script : ''}</body></html>`;
}
