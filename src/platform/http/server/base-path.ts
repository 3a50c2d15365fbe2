import type { IncomingMessage, Server } from 'node:http';

/**
 * Removes the path of PUBLIC_URL from the addresses of requests. So Parley works behind a proxy that passes the path on, and
 * behind one that removes it. It happens before Express and Socket.IO, which both listen to the server, see the request.
 */
export function removeBasePath(server: Server, basePath: string): void {
  const emit = server.emit.bind(server) as (event: string, ...values: unknown[]) => boolean;
  server.emit = (event: string, ...values: unknown[]) => {
    if (event === 'request' || event === 'upgrade') {
      const request = values[0] as IncomingMessage;
      request.url = withoutBasePath(request.url!, basePath);
    }
    return emit(event, ...values);
  };
}

function withoutBasePath(address: string, basePath: string): string {
  if (!address.startsWith(basePath)) return address;
  const rest = address.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : address;
}
