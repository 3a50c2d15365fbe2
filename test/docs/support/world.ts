import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Cli } from '../../support/cli.js';
import { eventually } from '../../support/eventually.js';
import { inRepository } from '../../support/example.js';
import { disown, own } from '../../support/owned.js';
import { ADMIN_TOKEN, type Parley, type Tenant } from '../../support/parley.js';
import { freePort } from '../../support/ports.mjs';
import { ServiceProcess } from '../../support/process.js';
import { Receiver } from '../../support/receiver.js';
import { RUNNABLE, type Sample } from './samples.js';

const run = promisify(execFile);
/** `npx parley` without npx. */
const NPX = `npx() { [ "$1" = parley ] && shift; node "${Cli.MAIN}" "$@"; }\n`;

/** What a story reads of a message. */
interface SeenMessage {
  content: string;
  metadata: Record<string, any>;
  sender: { type: string };
  files?: { name: string }[];
}

/** What the samples of one page run in: a service with one organization, and a folder with the SDKs. */
export class World {
  /** Variables of commands and programs. */
  readonly environment: NodeJS.ProcessEnv;
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-samples-'));
  /** A folder without packages, where readers begin. */
  readonly emptyFolder = mkdtempSync(join(tmpdir(), 'parley-reader-'));
  private readonly programs: { stop: () => Promise<unknown> }[] = [];
  private readonly unused: Set<Sample>;
  /** What stands for `org_…` and other placeholders, by prefix. */
  readonly ids: Record<string, string | undefined>;

  private constructor(
    readonly parley: Parley,
    readonly tenant: Tenant,
    page: string,
  ) {
    this.unused = new Set(RUNNABLE.filter((sample) => sample.page === page));
    this.ids = { org: tenant.id, bot: tenant.botId };
    this.environment = {
      PATH: process.env.PATH,
      HOME: this.folder,
      PARLEY_URL: parley.url,
      PARLEY_TOKEN: tenant.token,
      ADMIN_TOKEN,
      WIDGET_KEY: tenant.widgetKey,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    };
  }

  static async create(parley: Parley, page: string): Promise<World> {
    const world = new World(parley, await parley.createTenant(), page);
    const modules = join(world.folder, 'node_modules');
    mkdirSync(modules);
    cpSync(inRepository('packages/bot/package.json'), join(modules, 'parley-bot/package.json'));
    cpSync(inRepository('dist/packages/bot'), join(modules, 'parley-bot/dist'), { recursive: true });
    cpSync(inRepository('packages/visitor/package.json'), join(modules, 'parley-visitor/package.json'));
    for (const name of ['standardwebhooks', 'socket.io-client'])
      symlinkSync(inRepository(`node_modules/${name}`), join(modules, name), 'dir');
    cpSync(inRepository('dist/visitor'), join(modules, 'parley-visitor'), { recursive: true });
    return world;
  }

  /** The next sample of the page that has this text. */
  take(has: string): string {
    const sample = [...this.unused].find(({ text }) => text.includes(has));
    if (!sample) throw new Error(`no sample has ${has}`);
    this.unused.delete(sample);
    return sample.text;
  }

  /** The places of samples that weren't taken. */
  get leftOver(): string[] {
    return Array.from(this.unused, ({ place }) => place);
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Runs commands. Returns their output. @param problems how many errors of the service the output has */
  async shell(text: string, { input = '', problems = 0, cwd = this.folder } = {}): Promise<string> {
    const running = run('sh', ['-e', '-c', NPX + this.fill(text)], { cwd, env: this.environment });
    running.child.stdin?.on('error', () => undefined).end(input);
    const { stdout } = await running;
    const found = stdout.match(/"requestId":/g)?.length ?? 0;
    if (found !== problems) throw new Error(`${found} problems: ${stdout}`);
    return stdout;
  }

  /** Starts commands that don't end by themselves, in the empty folder. */
  async shellInBackground(text: string): Promise<void> {
    const options = { cwd: this.emptyFolder, env: this.environment, detached: true, stdio: 'ignore' } as const;
    const child = spawn('sh', ['-e', '-c', NPX + this.fill(text)], options);
    await once(child, 'spawn');
    own(child.pid!);
    const closed = once(child, 'close');
    this.programs.push({
      stop: () => {
        if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
        return closed.finally(() => disown(child.pid!));
      },
    });
  }

  /** Starts a program in the folder. */
  start(text: string, environment: NodeJS.ProcessEnv = {}): ServiceProcess {
    const path = this.write(`sample${this.programs.length}.mjs`, this.fill(text));
    const program = ServiceProcess.spawn({ ...this.environment, ...environment }, path, this.folder);
    this.programs.push({ stop: () => program.kill('SIGKILL') });
    return program;
  }

  /** Starts a bot that polls, and waits until it has polled. */
  async startBot(text: string): Promise<ServiceProcess> {
    const bot = this.start(text);
    await this.polled(bot);
    return bot;
  }

  async polled(bot?: ServiceProcess): Promise<void> {
    const ended = bot?.ended().then(({ code }) => Promise.reject(new Error(`ended with ${code}: ${bot.output}`)));
    const polled = eventually(
      () => this.tenant.bot.get('/subscription'),
      ({ body }) => body.lastPolledAt != null,
    );
    await Promise.race([polled, ...(ended ? [ended] : [])]);
  }

  /** Starts a sample that listens on port 8080 as a webhook's receiver. */
  async startReceiver(text: string): Promise<ServiceProcess> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const { body } = await this.tenant.admin.post('/webhooks', { url }).expect(201);
    const local = text.replace(
      /\.listen\(8080(?:, '127\.0\.0\.1')?\)/,
      `.listen(${port}, '127.0.0.1', () => console.log('listens'))`,
    );
    const program = this.start(local, { WEBHOOK_SECRET: body.secret });
    await program.prints(/listens/);
    return program;
  }

  /** The same for a sample in Python, which listens on port 8080 without a word. */
  async startPython(text: string): Promise<void> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { body } = await this.tenant.admin.post('/webhooks', { url }).expect(201);
    const path = this.write('bot.py', text.replace('8080', String(port)));
    const env = { ...this.environment, WEBHOOK_SECRET: body.secret };
    const child = spawn('python3', [path], { env, stdio: 'ignore' });
    await once(child, 'spawn');
    own(child.pid!);
    const closed = once(child, 'close');
    this.programs.push({
      stop: () => {
        child.kill('SIGKILL');
        return closed.finally(() => disown(child.pid!));
      },
    });
    await eventually(
      () => fetch(url).catch(() => null),
      (answer) => answer !== null,
    );
  }

  /** A signed request of a webhook, as a receiver gets it. */
  async signedRequest(): Promise<{ secret: string; body: string; headers: Record<string, string> }> {
    const receiver = await Receiver.start();
    try {
      const { body } = await this.tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
      await this.say('hello');
      const isMessage = ({ event }: { event: { type: string } }) => event.type === 'message.created';
      const { headers, body: text } = (await receiver.until((all) => all.some(isMessage))).find(isMessage)!;
      return { secret: body.secret, body: text, headers };
    } finally {
      await receiver.close();
    }
  }

  say(content: string) {
    const { visitorToken, chatId } = this.tenant;
    return this.parley.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content }).expect(201);
  }

  async messages(): Promise<SeenMessage[]> {
    return (await this.tenant.bot.get(`/chats/${this.tenant.chatId}/messages`).expect(200)).body.messages;
  }

  /** Waits until the chat has a message with this content. */
  async answered(content: string) {
    const seen = await eventually(
      () => this.messages(),
      (messages) => messages.some((message) => message.content.trim() === content),
    );
    return seen.find((message) => message.content.trim() === content)!;
  }

  /** Replaces addresses and placeholders by the world's own. */
  private fill(text: string): string {
    return text
      .replaceAll('http://127.0.0.1:3000', this.parley.url)
      .replaceAll('prl_pat_…', this.tenant.token)
      .replaceAll(
        /\b(?:org|bot|agt|grp|whk|vis)_…/g,
        (placeholder) => this.ids[placeholder.slice(0, 3)] ?? placeholder,
      );
  }

  /** Stops the programs, and deletes all organizations. */
  async end(): Promise<void> {
    await Promise.all(this.programs.map(({ stop }) => stop()));
    const { body } = await this.parley.admin.get('').expect(200);
    for (const { id } of body.organizations) await this.parley.admin.delete(`/${id}?now=true`);
    for (const folder of [this.folder, this.emptyFolder]) rmSync(folder, { recursive: true, force: true });
  }
}
