import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LogSampler } from './log-sampler.js';

/** Decides which lines are logged about requests that anyone can send: visitors' requests, and requests without a valid token. */
@Injectable()
export class PublicLog implements OnApplicationShutdown {
  private readonly logger = new Logger('Requests');
  private readonly sampler = new LogSampler((omitted) =>
    this.logger.log({ omitted }, 'left out lines about further requests that anyone can send'),
  );

  /** Whether to write a line. @param cause for example the status and the route; never text of a client */
  admits(cause: string): boolean {
    return this.sampler.admits(cause);
  }

  onApplicationShutdown(): void {
    this.sampler.flush();
  }
}
