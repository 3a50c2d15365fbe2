import { findToken, findUrl } from '../connection.js';
import { CliError, EXIT } from '../errors.js';
import { Service } from '../service.js';
import { note, out } from '../show.js';
import { printable, toJson } from '../text.js';
import { type Check, failed } from './check.js';
import { checkConfiguration } from './configuration.js';
import { checkDatabase } from './database.js';
import { checkClocks, checkHealth } from './health.js';
import { checkRedis } from './redis.js';
import { checkRoundTrip } from './round-trip.js';

interface Report {
  verdict: 'ok' | 'warning' | 'failed';
  summary: string;
  checks: Check[];
}

/** Looks at everything that an installation needs and tells it as it goes. @returns what the process should end with */
export async function runDoctor(environment: NodeJS.ProcessEnv, options: { url?: string; json?: boolean }) {
  const url = findUrl(environment, options.url);
  const checks: Check[] = [];
  for await (const check of look(url, environment)) {
    checks.push(check);
    if (!options.json) out(lineOf(check));
  }
  const report = judge(checks);
  out(options.json ? toJson({ url, ...report }) : `\n${report.summary}`);
  return report.verdict === 'failed' ? EXIT.failed : EXIT.ok;
}

async function* look(url: string, environment: NodeJS.ProcessEnv): AsyncGenerator<Check> {
  yield checkConfiguration(environment);
  const health = await checkHealth(url);
  yield* health.checks;
  const database = await checkDatabase(environment, health.isUp);
  try {
    yield* database.checks;
    yield* checkClocks({ database: database.clockAhead, service: health.clockAhead });
    yield await checkRedis(environment);
    if (!health.isUp) return;
    const service = openService(url, environment);
    if (service instanceof Service) yield* await checkRoundTrip(service, database, interruption());
    else yield service;
  } finally {
    await database.close();
  }
}

function openService(url: string, environment: NodeJS.ProcessEnv): Service | Check {
  try {
    return new Service({ url, ...findToken(environment) });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return failed('admin API', error.message, 'without it there is no round trip of a message');
  }
}

// What was made for the round trip goes first, then the program.
function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        note('cleaning up …');
        reject(new Error(`interrupted by ${signal}`));
      });
    }
  });
  interrupted.catch(() => undefined);
  return interrupted;
}

function lineOf({ name, status, detail, advice }: Check): string {
  const line = `${status.padEnd(8)} ${name.padEnd(14)} ${printable(detail)}`;
  return advice === undefined ? line : `${line}\n${' '.repeat(24)}→ ${printable(advice)}`;
}

function judge(checks: Check[]): Report {
  const named = (wanted: Check['status']) => checks.filter(({ status }) => status === wanted).map(({ name }) => name);
  const [bad, doubtful] = [named('failed'), named('warning')];
  const total = checks.length;
  const rest = doubtful.length > 0 ? `; see also the warning about ${doubtful.join(', ')}` : '';
  if (bad.length > 0) {
    return {
      verdict: 'failed',
      summary: `Not well: ${bad.length} of ${total} checks failed (${bad.join(', ')})${rest}.`,
      checks,
    };
  }
  if (rest)
    return { verdict: 'warning', summary: `It works, as far as these ${total} checks can tell${rest}.`, checks };
  return { verdict: 'ok', summary: `All is well: ${total} checks passed.`, checks };
}
