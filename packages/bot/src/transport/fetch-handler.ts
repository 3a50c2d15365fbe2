import { headersOf, type Receiver } from './receiver.js';

/** The used part of a platform's context: Cloudflare's `ctx`, Vercel's `waitUntil`. */
export interface FetchContext {
  waitUntil?: (work: Promise<unknown>) => void;
}

/** Handles requests on Workers, Deno, Bun, and frameworks with fetch handlers. */
export function fetchHandler(receiver: Receiver): (request: Request, context?: FetchContext) => Promise<Response> {
  return async (request, context) => {
    const chunks = () => (request.body ? chunksOf(request.body) : []);
    const { status, rest } = await receiver.receive(request.method, request.headers, chunks);
    // A platform may stop a worker that has responded, together with a running handler.
    if (rest) context?.waitUntil?.(rest);
    return new Response(null, { status, headers: headersOf(status) });
  };
}

/** Iterates over a stream, which not every platform supports natively. */
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
