import { headersOf, type Receiver } from './receiver.js';

/** What a platform gives beside the request, as far as it is used: Cloudflare's `ctx`, Vercel's `waitUntil`. */
export interface FetchContext {
  waitUntil?: (work: Promise<unknown>) => void;
}

/** Answers the requests of Workers, Deno, Bun, and frameworks that take a fetch handler. */
export function fetchHandler(receiver: Receiver): (request: Request, context?: FetchContext) => Promise<Response> {
  return async (request, context) => {
    const chunks = () => (request.body ? chunksOf(request.body) : []);
    const { status, rest } = await receiver.receive(request.method, request.headers, chunks);
    // A platform may end a worker that has answered, with the handler that still runs.
    if (rest) context?.waitUntil?.(rest);
    return new Response(null, { status, headers: headersOf(status) });
  };
}

/** Not every platform can iterate over a stream. */
async function* chunksOf(body: NonNullable<Request['body']>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value as Uint8Array;
    }
  } finally {
    await reader.cancel();
  }
}
