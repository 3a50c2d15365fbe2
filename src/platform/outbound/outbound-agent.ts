import { Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { AddressGuard, RefusedError } from './address-guard.js';

/** The limit for opening a connection. */
const CONNECT_TIMEOUT_MS = 15_000;
/** Maximum header bytes of a response. */
const MAX_HEADER_BYTES = 16 * 1024;
/** How long an idle connection is kept: shorter than receivers keep it that don't announce their timeout. */
const KEEP_ALIVE_MS = 1_500;
const MAX_KEEP_ALIVE_MS = 30_000;

export type OutboundRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body'>;
export type ResponseHandler = Dispatcher.DispatchHandler;
export type ResponseController = Dispatcher.DispatchController;

/**
 * Sends requests to addresses that someone else chose, on connections that `AddressGuard` allows. Follows no redirects.
 * Each feature provides its own instance, so that closing one aborts no other feature's request. The caller limits the
 * time and the size of a response.
 */
@Injectable()
export class OutboundAgent {
  private readonly agent: Agent;

  constructor(private readonly addresses: AddressGuard) {
    this.agent = new Agent({
      connect: connectorOf(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    });
  }

  /**
   * Sends a request and passes the response to the handler. If only a DNS lookup shows that an address must not be
   * reached, the handler gets the error.
   * @throws RefusedError for a URL that must not be reached
   */
  dispatch(url: string, request: OutboundRequest, handler: ResponseHandler): void {
    const { origin, pathname, search } = this.check(url);
    this.agent.dispatch({ ...request, origin, path: pathname + search }, handler);
  }

  /** Aborts all running requests. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private check(text: string): URL {
    const url = new URL(text);
    const fault = this.addresses.findFault(url);
    if (fault) throw new RefusedError(fault);
    return url;
  }
}

function connectorOf(addresses: AddressGuard): buildConnector.connector {
  const unguarded = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  const guarded = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: addresses.lookup,
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    if (addresses.isNamed(options)) return unguarded(options, callback);
    try {
      // A literal address is never looked up, so it's checked here.
      if (isIP(options.hostname)) addresses.check(options.hostname);
    } catch (error) {
      return callback(error as Error, null);
    }
    guarded(options, callback);
  };
}
