import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';

/** The text of a scrape. It is made once however many ask, since making it reads the database and every series. */
@Injectable()
export class MetricsText {
  /** Milliseconds that a text is good for. */
  maxAge = 1_000;
  private text = '';
  private madeAt = Number.NEGATIVE_INFINITY;
  private making?: Promise<string>;

  constructor(private readonly registry: Registry) {}

  /** At most `maxAge` old; whoever asks while it is made waits for the same. */
  async read(): Promise<string> {
    if (performance.now() - this.madeAt < this.maxAge) return this.text;
    this.making ??= this.make().finally(() => (this.making = undefined));
    return this.making;
  }

  private async make(): Promise<string> {
    this.text = await this.registry.metrics();
    this.madeAt = performance.now();
    return this.text;
  }
}
