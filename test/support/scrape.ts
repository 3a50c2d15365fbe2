/** A response of /metrics. */
export class Scrape {
  private readonly samples = new Map<string, { labels: Record<string, string>; value: number }[]>();
  readonly types = new Map<string, string>();

  constructor(readonly text: string) {
    for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) this.types.set(name!, type!);
    for (const [, name, labels = '', value] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? (\S+)$/gim)) {
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key!, text!]);
      this.samples.set(name!, [
        ...(this.samples.get(name!) ?? []),
        { labels: Object.fromEntries(pairs), value: Number(value) },
      ]);
    }
  }

  static async of(url: string, token?: string): Promise<Scrape> {
    const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/metrics`, { headers });
    if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
    return new Scrape(await answer.text());
  }

  /** The names of all series, including the parts of histograms. */
  get names(): string[] {
    return [...this.samples.keys()];
  }

  /** The label names of a metric's series. */
  labelNames(name: string): string[] {
    return [...new Set((this.samples.get(name) ?? []).flatMap(({ labels }) => Object.keys(labels)))].toSorted();
  }

  /** The sum of the series with these labels; undefined when there's none. */
  value(name: string, labels: Record<string, string> = {}): number | undefined {
    const fits = (this.samples.get(name) ?? []).filter(({ labels: has }) =>
      Object.entries(labels).every(([key, value]) => has[key] === value),
    );
    return fits.length === 0 ? undefined : fits.reduce((sum, { value }) => sum + value, 0);
  }
}
