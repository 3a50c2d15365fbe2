import { headersOf, type Receiver } from './receiver.js';

/** The used part of a `node:http` or Express request. */
export interface NodeRequest {
  method?: string;
  headers: { [name: string]: string | string[] | undefined };
  readableEnded: boolean;
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}

/** The used part of a `node:http` or Express response. */
export interface NodeResponse {
  headersSent: boolean;
  destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): { end(): unknown };
}

/** Handles requests of `node:http` and Express. */
export function webhookListener(receiver: Receiver): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    void receiver
      .receive(request.method, request.headers, () => chunksOf(request))
      .then(({ status }) => end(response, status));
  };
}

function chunksOf(request: NodeRequest & { body?: unknown }): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  // Express may have read the body already. Bytes can be verified, a parsed object can't.
  if (request.body instanceof Uint8Array) return [request.body];
  if (request.readableEnded) throw new Error('the body was parsed before: mount webhook() before express.json()');
  return request.iterator({ destroyOnReturn: false });
}

function end(response: NodeResponse, status: number): void {
  // If a timeout of the server has responded, or Parley has disconnected, Parley retries.
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, headersOf(status)).end();
}
