import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';

/** The text of a scrape, cached and shared by concurrent scrapes, because making it reads the database and every series. */
@Injectable()
export class MetricsText {
  /** How long a text is reused, in milliseconds. */
  maxAgeMs = 1_000;
  private text = '';
  private madeAt = Number.NEGATIVE_INFINITY;
  private running?: Promise<string>;

  constructor(private readonly registry: Registry) {}

  /** Returns a text that is at most `maxAge` old; concurrent callers wait for the same one. */
  async read(): Promise<string> {
    if (performance.now() - this.madeAt < this.maxAgeMs) return this.text;
    this.running ??= this.make().finally(() => (this.running = undefined));
    return this.running;
  }

  private async make(): Promise<string> {
    this.text = await this.registry.metrics();
    this.madeAt = performance.now();
    return this.text;
  }
}
