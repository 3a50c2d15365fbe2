import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Counter, type Histogram, type Family, Metrics } from '../../telemetry/metrics.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The metrics of one route and method. */
interface RouteMeters {
  duration: Histogram;
  byStatus: Map<number, Counter>;
}

/** Metrics of HTTP requests. Labels are the service's routes, never text of a client. */
@Injectable()
export class HttpMetrics {
  private readonly requests: Family<Counter>;
  private readonly durations: Family<Histogram>;
  private readonly meters = new Map<string, Map<string, RouteMeters>>();
  private inFlight = 0;

  constructor(metrics: Metrics) {
    this.requests = metrics.counters('parley_http_requests_total');
    this.durations = metrics.histograms('parley_http_request_duration_seconds');
    metrics.gauge('parley_http_requests_in_flight', () => this.inFlight);
  }

  begin(): void {
    this.inFlight++;
  }

  end(request: Request, response: Response, milliseconds: number): void {
    this.inFlight--;
    const { duration, byStatus } = this.metersOf(request.method, routeOf(request));
    duration.observe(milliseconds / 1000);
    const status = isAnswered(response) ? response.statusCode : 0;
    let count = byStatus.get(status);
    if (!count) byStatus.set(status, (count = this.count(request, status)));
    count.add();
  }

  private metersOf(method: string, route: string): RouteMeters {
    const routes = this.meters.get(method);
    return routes?.get(route) ?? this.addMeters(method, route);
  }

  private addMeters(method: string, route: string): RouteMeters {
    const added = { duration: this.durations(methodLabel(method), route), byStatus: new Map<number, Counter>() };
    const routes = this.meters.get(method) ?? new Map<string, RouteMeters>();
    this.meters.set(method, routes.set(route, added));
    return added;
  }

  private count(request: Request, status: number): Counter {
    return this.requests(methodLabel(request.method), routeOf(request), status === 0 ? 'aborted' : String(status));
  }
}

/** The route that answers a request, as the service declares it (`/api/bot/chats/:chatId`); `unmatched` without one. */
export function routeOf({ route }: Request): string {
  const path: unknown = (route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path : 'unmatched';
}

/** Whether the whole answer was written to the client's connection. */
export function isAnswered(response: Response): boolean {
  return response.writableFinished;
}

function methodLabel(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
