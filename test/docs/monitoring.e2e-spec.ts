import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { TEXT, upload } from '../files/support/files.js';
import { Pipeline, request } from '../operations/support/pipeline.js';
import { beBusy } from '../support/busy.js';
import { Parley } from '../support/parley.js';
import { closedPort, freePort } from '../support/ports.mjs';
import { Scrape } from '../support/scrape.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Labels that Prometheus adds. */
const GIVEN = ['instance', 'job'];
const NAME = /\b(?:parley|nodejs|process)_\w+/g;

/** The metric names in a PromQL expression, each with the labels it selects by. */
function selectors(expression: string): [string, string[]][] {
  return [...expression.matchAll(/\b((?:parley|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, name, labels = '']) => [
    name!,
    [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  ]);
}

/** The labels that an expression groups by, and labels that a text shows as `{{label}}` or `{{ $labels.label }}`. */
function shownLabels(text: string): string[] {
  const grouped = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/\s*,\s*/));
  const shown = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label]) => label!);
  return [...grouped, ...shown];
}

describe('ops/ and docs/operate/monitoring.md', () => {
  let parley: Parley;
  let scrape: Scrape;

  beforeAll(async () => {
    // Redis and the mailbox are down, and reported as down.
    const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
    const [port, down] = [await freePort(), await closedPort()];
    parley = await Parley.start({
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      REDIS_URL,
      BOT_RATE_LIMIT: '1000',
      SMTP_URL: `smtp://127.0.0.1:${down}`,
      IMAP_URL: `imap://user:password@127.0.0.1:${down}`,
      MAIL_FROM: 'support@example.com',
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    });
    const { bot, chatId } = await beBusy(parley);
    await upload(bot, chatId, 'a.txt', TEXT);
    await (await Pipeline.open(parley.url)).send(request('/health/live').repeat(100)).end();
    // A scrape's own figures are in the next one.
    await Scrape.of(parley.url);
    scrape = await Scrape.of(parley.url);
  });
  afterAll(() => parley.stop());

  const checkExpression = (expression: string, texts = '') => {
    const used = selectors(expression);
    expect(used.length).toBeGreaterThan(0);
    for (const [name, labels] of used) {
      expect(scrape.names).toContain(name);
      for (const label of labels) expect([...scrape.labelNames(name), ...GIVEN]).toContain(label);
    }
    const known = used.flatMap(([name]) => scrape.labelNames(name));
    for (const label of shownLabels(expression + texts)) expect([...known, ...GIVEN]).toContain(label);
  };

  describe('the dashboard', () => {
    const dashboard = JSON.parse(read('ops/grafana-dashboard.json'));
    const panels: any[] = dashboard.panels.filter(({ type }: any) => type !== 'row');

    it('the dashboard has its rows, and queries only the chosen data source', () => {
      const rows = dashboard.panels.filter(({ type }: any) => type === 'row').map(({ title }: any) => title);
      expect(rows).toEqual([
        'Traffic',
        'Latency',
        'Live delivery',
        'Webhooks',
        'Database',
        'Process',
        'Agents',
        'Bots',
        'Files',
      ]);
      expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' });
      for (const panel of panels) {
        expect(panel.description).toMatch(/\w/);
        for (const { uid } of [panel.datasource, ...panel.targets.map((target: any) => target.datasource)])
          expect(uid).toBe('${datasource}');
      }
      const ids = dashboard.panels.map(({ id }: any) => id);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it.each(panels.map(({ title, targets }): [string, any[]] => [title, targets]))(
      "the dashboard's panel queries existing metrics: %s",
      (_title, targets) => {
        for (const { expr, legendFormat } of targets) checkExpression(expr, legendFormat);
      },
    );

    it('the dashboard selects nodes by an existing label', () => {
      for (const { query } of dashboard.templating.list.slice(1))
        for (const [name] of query.query.matchAll(NAME)) expect(scrape.names).toContain(name);
    });
  });

  describe('the alerts', () => {
    const alerts = read('ops/prometheus-alerts.yml')
      .split(/^ *- alert: /m)
      .slice(1)
      .map((text): [string, string] => [/^\w+/.exec(text)![0], text]);

    it.each(alerts)('alert %s queries existing metrics, and says what to do', (name, text) => {
      const expression = /expr: (?:>-)?([\s\S]*?)\n {8}(?:for|labels):/.exec(text)![1]!;
      if (name === 'ParleyDown') expect(expression).toBe('up{job="parley"} == 0');
      else checkExpression(expression, text);
      expect(text).toMatch(/severity: (?:critical|warning)/);
      expect(text).toMatch(/summary: '.+'\n/);
      expect(text).toMatch(/description: >-\n +\S.{40}/);
      for (const [metric] of text.matchAll(NAME)) expect(scrape.names.join(' ')).toContain(metric);
    });

    it('every alert is documented, and no other', () => {
      const documented = [...read('docs/operate/monitoring.md').matchAll(/^\| `(Parley\w+)`/gm)].map(
        ([, name]) => name,
      );
      expect(documented).toEqual(alerts.map(([name]) => name));
    });
  });

  it('the documented table has every metric with its type and labels, and no other', () => {
    const rows = [
      ...read('docs/reference/metrics.md').matchAll(/^\| <a id="\w+"><\/a>`(parley_\w+)` +\| (\w+) +\| ([^|]*)\|/gm),
    ];
    const sorted = (texts: string[]) => texts.toSorted((a, b) => a.localeCompare(b));
    const documented = rows.map(([, name, type, labels]) => {
      const names = [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!);
      return `${name} ${type} ${sorted(names).join()}`;
    });
    const labelsOf = (name: string) => {
      const labels = [...scrape.labelNames(name), ...scrape.labelNames(`${name}_bucket`)];
      return sorted(labels.filter((label) => label !== 'le')).join();
    };
    const own = [...scrape.types].filter(([name]) => name.startsWith('parley_'));
    expect(sorted(documented)).toEqual(sorted(own.map(([name, type]) => `${name} ${type} ${labelsOf(name)}`)));
  });
});
