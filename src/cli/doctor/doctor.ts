import { findToken, findUrl } from '../connection.js';
import { CliError, EXIT } from '../errors.js';
import { Service } from '../service.js';
import { note, out } from '../show.js';
import { printable } from '../../platform/lib/printable.js';
import { toJson } from '../text.js';
import { type Check, failed } from './check.js';
import { checkConfiguration } from './configuration.js';
import { checkDatabase } from './database.js';
import { checkFileStore } from './files.js';
import { checkClocks, checkHealth } from './health.js';
import { checkAlignment } from './mail/alignment.js';
import { checkImap } from './mail/imap.js';
import { checkMailLoop } from './mail/loop.js';
import { checkSmtp } from './mail/smtp.js';
import { checkNodes } from './nodes.js';
import { askNode, checkCauses, checkNodeRedis, explainByNode } from './node.js';
import { checkRedis } from './redis.js';
import { checkPush } from './push.js';
import { checkRoundTrip } from './round-trip.js';

interface Report {
  verdict: 'ok' | 'warning' | 'failed';
  summary: string;
  checks: Check[];
}

interface DoctorOptions {
  url?: string;
  json?: boolean;
  /** Whether a mail is sent to the own mailbox. */
  mail?: boolean;
}

/** Checks everything that an installation needs, and prints each result immediately. @returns the exit code of the process */
export async function runDoctor(environment: NodeJS.ProcessEnv, options: DoctorOptions) {
  const url = findUrl(environment, options.url);
  const checks: Check[] = [];
  for await (const check of runChecks(url, environment, options)) {
    checks.push(check);
    if (!options.json) out(lineOf(check));
  }
  const report = summarize(checks);
  out(options.json ? toJson({ url, ...report }) : `\n${report.summary}`);
  return report.verdict === 'failed' ? EXIT.failed : EXIT.ok;
}

async function* runChecks(url: string, environment: NodeJS.ProcessEnv, { mail }: DoctorOptions): AsyncGenerator<Check> {
  yield checkConfiguration(environment);
  const health = await checkHealth(url, environment);
  yield* health.checks;
  const database = await checkDatabase(environment, health.isUp);
  try {
    yield* database.checks;
    yield* checkClocks({ database: database.clockAhead, service: health.clockAhead });
    const report = health.isUp ? await askNode(url, environment) : null;
    yield await checkRedis(environment, checkNodeRedis(report));
    yield* checkCauses(report);
    yield* checkFileStore(environment);
    yield* checkReach(environment, mail);
    if (!health.isUp) return;
    const service = openService(url, environment);
    if (service instanceof Service) {
      const nodes = await checkNodes(service);
      if (nodes) yield nodes;
      yield* await checkRoundTrip(service, database, interruption(), () => explainByNode(url, environment));
    } else yield service;
  } finally {
    await database.close();
  }
}

/** E-mail and push notifications. */
async function* checkReach(environment: NodeJS.ProcessEnv, sendsMail = false): AsyncGenerator<Check> {
  const checks = [checkSmtp, checkImap, checkAlignment, ...(sendsMail ? [checkMailLoop] : []), checkPush];
  for (const check of checks) {
    const found = await check(environment);
    if (found) yield found;
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

// Rejects on the first signal, so that the round trip's data is removed before the program ends.
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

function summarize(checks: Check[]): Report {
  const namesOf = (wanted: Check['status']) => [
    ...new Set(checks.filter(({ status }) => status === wanted).map(({ name }) => name)),
  ];
  const [failures, warnings] = [namesOf('failed'), namesOf('warning')];
  const total = checks.length;
  const warningText = warnings.length > 0 ? `; see also the warning about ${warnings.join(', ')}` : '';
  if (failures.length > 0) {
    return {
      verdict: 'failed',
      summary: `Not well: ${failures.length} of ${total} checks failed (${failures.join(', ')})${warningText}.`,
      checks,
    };
  }
  if (warningText)
    return { verdict: 'warning', summary: `It works, as far as these ${total} checks can tell${warningText}.`, checks };
  return { verdict: 'ok', summary: `All is well: ${total} checks passed.`, checks };
}
