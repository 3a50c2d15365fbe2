import { headersOf, type Receiver } from './receiver.js';

/** A request of `node:http` or Express, as far as it is used. */
export interface NodeRequest {
  method?: string;
  headers: { [name: string]: string | string[] | undefined };
  readableEnded: boolean;
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}

/** A response of `node:http` or Express, as far as it is used. */
export interface NodeResponse {
  headersSent: boolean;
  destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): { end(): unknown };
}

/** Takes the requests of `node:http` and Express. */
export function webhookListener(receiver: Receiver): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    void receiver
      .receive(request.method, request.headers, () => chunksOf(request))
      .then(({ status }) => end(response, status));
  };
}

function chunksOf(request: NodeRequest & { body?: unknown }): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  // Express may have read it before us: as bytes it is what was signed, as an object it is not.
  if (request.body instanceof Uint8Array) return [request.body];
  if (request.readableEnded) throw new Error('the body was parsed before: mount webhook() before express.json()');
  return request.iterator({ destroyOnReturn: false });
}

function end(response: NodeResponse, status: number): void {
  // A time limit of the server may have answered, or Parley has hung up: the attempt comes again.
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, headersOf(status)).end();
}
