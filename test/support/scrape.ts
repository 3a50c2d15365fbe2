/** What /metrics answered. */
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

  /** The names of all series, those of a histogram's parts among them. */
  get names(): string[] {
    return [...this.samples.keys()];
  }

  /** The names of the labels that the series of a name have. */
  labelNames(name: string): string[] {
    return [...new Set((this.samples.get(name) ?? []).flatMap(({ labels }) => Object.keys(labels)))].toSorted();
  }

  /** The sum of the series that have these labels; undefined when there is none. */
  value(name: string, labels: Record<string, string> = {}): number | undefined {
    const fits = (this.samples.get(name) ?? []).filter(({ labels: has }) =>
      Object.entries(labels).every(([key, value]) => has[key] === value),
    );
    return fits.length === 0 ? undefined : fits.reduce((sum, { value }) => sum + value, 0);
  }
}
