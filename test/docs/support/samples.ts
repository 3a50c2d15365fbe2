import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FENCED = /^( {0,9})```(\w*)(?: \[[^\]\n]*\])?\n([^]*?)^ {0,9}```$/gm;

/** A block of code in a page. */
export interface Sample {
  page: string;
  /** `docs/bots/sdk.md:25` */
  place: string;
  /** `js`, `sh`, … or empty. */
  language: string;
  text: string;
}

function pagesIn(folder: string): string[] {
  const names = readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.md') && !/node_modules|[.]vitepress/.test(name))
    .map((name) => `${folder}/${name}`);
}

function samplesOf(page: string): Sample[] {
  const text = readFileSync(`${ROOT}/${page}`, 'utf8');
  return Array.from(text.matchAll(FENCED), (match) => {
    const [, indent = '', language = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    const lines = code.split('\n').map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each));
    return { page, place: `${page}:${line}`, language, text: lines.join('\n') };
  });
}

const PAGES = ['README.md', 'CONTRIBUTING.md', 'bench/README.md', ...['docs', 'examples', 'packages'].flatMap(pagesIn)];

/** All blocks of code that readers see. */
export const SAMPLES: readonly Sample[] = PAGES.flatMap(samplesOf);

/** A sample that isn't run, and why. Without `has`, all samples of the language or the page. */
interface NotRun {
  page?: string;
  language?: string;
  /** A part of the sample. */
  has?: string;
  why: string;
}

/** Samples that can't be run, or that other tests run. `samples.spec.ts` still checks their syntax. */
export const NOT_RUN: readonly NotRun[] = [
  { page: 'docs/inside/rooms/search.md', why: 'test/search/feed runs it' },
  { page: 'docs/inside/rooms/mail.md', why: 'test/redis/doctor runs it' },
  { page: 'docs/inside/rooms/push.md', why: 'test/push reads these metrics' },
  {
    page: 'docs/operate/push.md',
    why: 'test/push/subscriptions sets VAPID_KEYS, and test/push/events leaves the content out',
  },
  { page: 'docs/inside/rooms/tags.md', why: 'test/cli/tags runs it' },
  { page: 'docs/inside/rooms/attributes.md', why: 'the suite runs it' },
  { page: 'docs/bots/outside.md', has: 'bot.search', why: 'needs a token with a scope; test/bot-sdk/outside searches' },
  { language: 'mermaid', why: 'a picture' },
  { language: 'text', why: 'handoff-session.e2e-spec.ts records it' },
  { language: 'nginx', why: 'a part of the configuration of another program' },
  ...['chat', 'create-bot', 'create-bot/templates/common'].map((folder) => ({
    page: `packages/${folder}/README.md`,
    why: 'test/release installs and starts the packages',
  })),
  { page: 'docs/operate/kubernetes.md', why: 'needs a cluster; test/release renders the chart' },
  { page: 'docs/operate/mail.md', why: 'variables of a mail server; test/mail sends by one' },
  { page: 'docs/operate/path.md', why: 'test/browser/below-a-path runs the proxies with these lines' },
  { language: 'caddy', why: 'a part of the configuration of another program' },
  { language: 'haproxy', why: 'a part of the configuration of another program' },
  { language: 'ini', why: 'a part of the configuration of another program' },
  { language: 'dockerfile', why: 'needs a Docker Engine' },
  { language: 'ts', why: 'steps of a change that the code does not have' },
  {
    page: 'docs/website/settings.md',
    has: 'turnstile.render',
    why: 'needs a captcha of another company; test/browser/captcha runs it with a stand-in',
  },
  {
    page: 'docs/bots/connect-an-agent.md',
    why: 'needs an endpoint; test/processes/parley-bot-connections runs the commands with one',
  },
  {
    page: 'docs/bots/simple-bot.md',
    why: 'names no bot; test/processes/parley-bot-connections connects a script',
  },
  { page: 'docs/bots/parley-dev.md', why: 'test/processes/parley-dev tests the command and its output' },
  ...[
    'bun bot.mjs',
    'deno run',
    'Deno.serve',
    'Bun.serve',
    'waitUntil',
    'isBase64Encoded',
    'export default {',
    'compatibility_date',
  ].map((has) => ({
    page: 'docs/bots/deploy.md',
    has,
    why: 'test/platforms runs the bots of this page',
  })),
  ...['agui', 'ai-sdk', 'langgraph', 'mastra', 'openai-agents'].map((name) => ({
    page: `docs/bots/${name}.md`,
    why: 'test/frameworks runs the bots of these pages',
  })),
  { page: 'docs/operate/moving.md', why: 'test/operations/organization-archive and import run these commands' },
  { page: 'docs/operate/backup.md', why: 'test/backup dumps and restores with these commands' },
  { page: 'docs/operate/data.md', has: 'VACUUM FULL', why: 'test/backup/pages runs these commands' },
  { page: 'docs/operate/data.md', has: 'pg_total_relation_size', why: 'test/backup/pages runs these commands' },
  { page: 'docs/operate/managed-databases.md', has: 'parley_b', why: 'test/backup/pages runs these commands' },
  { page: 'docs/operate/managed-databases.md', has: 'PASSWORD NULL', why: 'test/backup/pages runs these commands' },
  { page: 'docs/operate/upgrades.md', has: 'pg_terminate_backend', why: 'test/backup/pages runs these commands' },
  { page: 'docs/operate/failover.md', has: 'a.example', why: 'test/backup/pages runs these commands' },
  { page: 'docs/operate/failover.md', has: 'b.example', why: 'test/backup/pages runs these commands' },
  { page: 'docs/operate/failover.md', has: 'pg_replication_slots;', why: 'test/backup/pages runs this command' },
  { page: 'docs/operate/upgrades.md', has: 'migrat', why: 'test/processes and test/backup/pages test these texts' },
  { page: 'docs/operate/upgrades.md', has: 'needs at least', why: 'test/processes/older-release tests this line' },
  { page: 'docs/operate/upgrades.md', has: 'upgrade --check', why: 'test/backup/pages runs this command' },
  { page: 'docs/operate/systemd.md', why: 'needs systemd and a server of its own' },
  {
    page: 'docs/operate/failover.md',
    has: 'bootstrap:',
    why: 'a part of the configuration of Patroni; test/failover runs Patroni with these settings',
  },
  { page: 'docs/operate/docker.md', why: 'test/compose runs these commands' },
  { page: 'docs/operate/high-availability.md', why: 'test/compose runs these commands' },
  { page: 'docs/operate/managed-databases.md', has: 'psql', why: 'needs the command of another program' },
  { page: 'docs/operate/websockets.md', why: 'needs a proxy; test/processes/doctor checks the way through some' },
  { page: 'docs/operate/command-line.md', has: '$ npx parley', why: 'test/processes tests the texts of this output' },
  { page: 'docs/inside/migrations.md', has: 'expand', why: 'a list' },
  { page: 'docs/website/index.md', has: 'script-src', why: 'a header; test/browser applies it' },
  { page: 'docs/website/index.md', has: 'next/script', why: 'test/platforms builds a Next.js app with it' },
  {
    page: 'docs/website/files.md',
    why: 'test/cli sets each field of organizations, and test/browser applies the header',
  },
  { page: 'docs/website/control.md', why: "needs a browser; test/browser calls the widget's functions" },
  { page: 'docs/website/languages.md', why: "needs a browser; test/browser calls the widget's functions" },
  {
    page: 'docs/website/identity.md',
    has: "Parley('identify'",
    why: 'needs a browser; test/browser identifies visitors',
  },
  ...['document.querySelector', '<ul id', 'npx vite'].map((has) => ({
    page: 'docs/website/headless.md',
    has,
    why: 'test/browser/own-chat builds and runs it, and the example of the package',
  })),
  {
    page: 'docs/website/headless.md',
    has: 'sendFiles',
    why: 'needs a browser; test/visitor-client/files calls the function with the same arguments',
  },
  {
    page: 'docs/bots/webhooks.md',
    has: 'async function take',
    why: 'a part of examples/webhook-bot, which test/processes runs',
  },
  {
    page: 'docs/bots/webhooks.md',
    has: 'webhook ping',
    why: 'needs a public receiver; test/processes pings a local one',
  },
  { page: 'docs/bots/language-models.md', has: 'unpdf', why: 'needs a package for PDFs' },
  { page: 'docs/bots/errors.md', has: 'onError:', why: 'test/bot-sdk/errors tests onError' },
  { page: 'docs/operate/monitoring.md', has: 'openssl', why: 'runs another program' },
  { page: 'docs/index.md', why: 'the same as in docs/start/index.md; test/public/docs-site compares them' },
  { page: 'docs/start/promise.md', why: 'runs a test of this suite' },
  { page: 'docs/inside/add-a-feature.md', why: 'runs checks and suites' },
  { page: 'docs/inside/benchmarks.md', why: 'runs the benchmark' },
  { page: 'docs/inside/contributing.md', why: 'runs checks and suites' },
  { page: 'docs/inside/migrations.md', has: 'npm run', why: 'runs checks and suites' },
  { page: 'CONTRIBUTING.md', why: 'runs checks and suites' },
  { page: 'bench/README.md', why: 'runs the benchmark' },
  { page: 'README.md', has: 'npm test', why: 'starts the service and runs its tests' },
  { page: 'docs/start/index.md', has: 'npm start', why: 'the story of this page starts the service' },
  { page: 'examples/echo-bot/README.md', why: 'test/processes/examples runs the example' },
  { page: 'examples/llm-bot/README.md', why: 'test/processes/llm-bot runs the example' },
  { page: 'examples/react-chat/README.md', why: 'test/browser/own-chat builds and runs the example' },
  { page: 'examples/webhook-bot/README.md', why: 'test/processes/webhook-bot runs the example' },
  { page: 'packages/bot/README.md', why: 'the same as in docs/bots/sdk.md' },
  { page: 'packages/visitor/README.md', why: 'test/public/sdk-packages runs the first; the second continues it' },
];

/** Whether an entry of `NOT_RUN` is about a sample. */
export const isAbout = ({ page, language, has }: NotRun, sample: Sample) =>
  (page === undefined || page === sample.page) &&
  (language === undefined || language === sample.language) &&
  (has === undefined || sample.text.includes(has));

/** The samples that `test/processes/samples` runs. JSON is only parsed. */
export const RUNNABLE = SAMPLES.filter(
  (sample) => sample.language !== 'json' && !NOT_RUN.some((entry) => isAbout(entry, sample)),
);
