import { Command, CommanderError, Option } from 'commander';
import { addBotVerbs } from './bot/command.js';
import type { DevOptions } from './dev/options.js';
import { addDevOptions, wholeNumber } from './dev/command.js';
import { CliError, EXIT, usage } from './errors.js';
import type { ImportOptions } from './imports/import.js';
import { type Field, itemsOf, type Noun, pluralOf } from './noun.js';
import { NOUNS } from './nouns.js';
import { resealSecrets } from './secrets/reseal.js';
import { note } from './show.js';
import { printable } from '../platform/lib/printable.js';
import { toJson } from './text.js';
import { type Options, type Values, Verbs } from './verbs.js';

const HELP_TEXT = `
The service's address is --url, else PARLEY_URL, else PUBLIC_URL, else http://127.0.0.1:PORT; the admin token is
ADMIN_TOKEN, else the one in secrets.json under DATA_DIR (./data).

Exit codes: 0 done, 1 refused or failed, 2 not understood, 3 the service cannot be reached.`;

const SERVICE_URL = ['--url <url>', "the service's address"] as const;
const JSON_FLAG = ['--json', "print the API's JSON"] as const;

/** Runs one command line. @returns the exit code of the process */
export async function run(args: string[], environment: NodeJS.ProcessEnv, version: string): Promise<number> {
  const program = buildProgram(environment, version);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    return explain(error, args.includes('--json'));
  }
}

function explain(error: unknown, isJson: boolean): number {
  // Commander has already printed it. Asking for help isn't an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!(error instanceof CliError)) throw error;
  if (isJson && error.problem) process.stderr.write(`${toJson(error.problem, 0)}\n`);
  else note(`parley: ${error.message}`);
  return error.exitCode;
}

/** The whole command line. @public scripts/reference reads it from the build */
export function buildProgram(environment: NodeJS.ProcessEnv, version: string): Command {
  const program = new Command('parley')
    .description('Administers a Parley service: parley <noun> <verb>')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) =>
        write(
          text
            .split('\n')
            .map(printable)
            .join('\n')
            .replace(/^error: /, 'parley: '),
        ),
    })
    .enablePositionalOptions()
    .option(...SERVICE_URL)
    .option(...JSON_FLAG)
    .addHelpText('after', HELP_TEXT);
  for (const noun of NOUNS) addNoun(program, noun, environment);
  addSecrets(program, environment);
  addMail(program, environment);
  addDoctor(program, environment);
  addUpgrade(program, environment);
  addMoving(program, environment, version);
  addFiles(program, environment);
  addSearch(program, environment);
  addBotFile(program, environment);
  addDev(program, environment);
  return program;
}

function addDev(program: Command, environment: NodeJS.ProcessEnv): void {
  const command = addDevOptions(program.command('dev'))
    .option('--webhook <url>', "the bot's webhook URL; if omitted, the bot polls for events")
    .option('--bot <id>', 'an existing bot; default: a new one, in an organization that is deleted at the end')
    .option('--org <id>', 'the organization of --bot; optional if there is only one')
    .option(...SERVICE_URL)
    .option(...JSON_FLAG);
  command.action(async (starting: string[]) => {
    const { runDev } = await import('./dev/dev.js');
    process.exitCode = await runDev(
      environment,
      { ...program.opts<Options>(), ...command.opts<DevOptions>() },
      starting,
    );
  });
}

function addSecrets(program: Command, environment: NodeJS.ProcessEnv): void {
  const secrets = program.command('secrets').description('the encrypted secrets in the database').helpCommand(false);
  const command = secrets
    .command('reseal')
    .description('encrypt everything with SECRET_KEY that SECRET_KEY_PREVIOUS encrypted; can be repeated')
    .helpOption('-h, --help', 'print help')
    .option(...SERVICE_URL)
    .option(...JSON_FLAG);
  command.action(() => resealSecrets(environment, { ...program.opts<Options>(), ...command.opts<Options>() }));
}

function addMail(program: Command, environment: NodeJS.ProcessEnv): void {
  const group = program.command('mail').description('the mail servers').helpCommand(false);
  const command = group
    .command('authorize')
    .description('sign in to the mail servers with OAuth (MAIL_OAUTH_PROVIDER), and store the tokens in the database')
    .option('--app', "use the client's own credentials, without a person (Microsoft)")
    .option('--redirect <url>', 'the redirect address of the client; default: http://127.0.0.1:8976');
  command.action(async () => {
    const { authorizeMail } = await import('./mail/authorize.js');
    await authorizeMail(environment, command.opts<{ app?: boolean; redirect?: string }>());
  });
}

function addDoctor(program: Command, environment: NodeJS.ProcessEnv): void {
  const command = program
    .command('doctor')
    .description('check the configuration, database, Redis, clocks, and service, and send a test message end to end')
    .option(...SERVICE_URL)
    .option('--mail', 'also send an e-mail to the mailbox of IMAP_URL, and wait for it up to 60 s')
    .option(...JSON_FLAG);
  command.action(async () => {
    // Loaded only here, because its modules load slowly.
    const { runDoctor } = await import('./doctor/doctor.js');
    process.exitCode = await runDoctor(environment, { ...program.opts<Options>(), ...command.opts<Options>() });
  });
}

function addUpgrade(program: Command, environment: NodeJS.ProcessEnv): void {
  const command = program
    .command('upgrade')
    .description('migrate the database of DATABASE_URL to this release, as a start of the service does')
    .option('--check', 'change nothing: say what it would do, and what is in its way')
    .option(...JSON_FLAG);
  command.action(async () => {
    const { checkUpgrade, upgrade } = await import('./upgrade/upgrade.js');
    const options = { ...program.opts<Options>(), ...command.opts<Options & { check?: boolean }>() };
    if (options.check) process.exitCode = await checkUpgrade(environment, options);
    else await upgrade(environment);
  });
}

function addMoving(program: Command, environment: NodeJS.ProcessEnv, version: string): void {
  const writing = program
    .command('export <organization> <folder>')
    .description(
      'write an organization into a new folder, with its files, from the database of DATABASE_URL or DATA_DIR',
    )
    .option(...JSON_FLAG);
  writing.action(async (id: string, folder: string) => {
    const { exportOrganization } = await import('./archive/export.js');
    const options = { ...program.opts<Options>(), ...writing.opts<Options>(), version };
    process.exitCode = await exportOrganization(environment, id, folder, options);
  });
  const reading = program
    .command('import <path>')
    .description(
      'create the organization of an export in the database of DATABASE_URL or DATA_DIR, or add conversations of another system to one',
    )
    .option('--from <system>', 'chatwoot: a file or folder of JSON, or the address of a restored dump; intercom: JSON')
    .option('--org <id>', 'with --from: the organization; optional if there is only one')
    .option('--group <id>', 'with --from: the group of the chats; default: the default group')
    .option('--account <id>', "with --from chatwoot: the account in Chatwoot's database; optional if there is only one")
    .option(...JSON_FLAG);
  reading.action(async (path: string) => {
    const options = { ...program.opts<Options>(), ...reading.opts<Options & Partial<ImportOptions>>() };
    const { from, org, group, account } = options;
    if (from !== undefined) {
      const { importConversations } = await import('./imports/import.js');
      return importConversations(environment, path, { ...options, from });
    }
    if (org ?? group ?? account) throw usage('--org, --group, and --account need --from');
    const { importOrganization } = await import('./archive/import.js');
    await importOrganization(environment, path, options);
  });
}

function addFiles(program: Command, environment: NodeJS.ProcessEnv): void {
  const group = program
    .command('files')
    .description('compare the files in the database with their bytes')
    .helpCommand(false);
  const check = group
    .command('check')
    .description(
      "find files without bytes, and bytes without a file, in DATABASE_URL or Parley's own PostgreSQL, and FILES_URL or DATA_DIR",
    )
    .option('--fix', 'remove bytes without a file that are older than 48 hours')
    .option(...JSON_FLAG);
  check.action(async () => {
    const { checkFiles } = await import('./files/files.js');
    const options = { ...program.opts<Options>(), ...check.opts<Options & { fix?: boolean }>() };
    process.exitCode = await checkFiles(environment, options);
  });
  const adopt = group.command('adopt').description("give this store the database's id, such as after files were lost");
  adopt.action(async () => {
    const { adoptStore } = await import('./files/files.js');
    process.exitCode = await adoptStore(environment);
  });
}

function addSearch(program: Command, environment: NodeJS.ProcessEnv): void {
  const group = program.command('search').description('the index of words').helpCommand(false);
  const rebuild = group
    .command('rebuild')
    .description('write the search index of an organization again, in the background')
    .option('--org <id>', 'the organization; default: the only one')
    .option(...SERVICE_URL)
    .option(...JSON_FLAG);
  rebuild.action(async () => {
    const { rebuildSearch } = await import('./search/rebuild.js');
    await rebuildSearch(environment, { ...program.opts<Options>(), ...rebuild.opts<Options & { org?: string }>() });
  });
}

function addBotFile(program: Command, environment: NodeJS.ProcessEnv): void {
  const group = program
    .command('file')
    .description("send and fetch a chat's files as a bot, with the token of PARLEY_TOKEN")
    .helpCommand(false);
  const send = group
    .command('send <path>')
    .description("send a file as a message, and print the message's id")
    .requiredOption('--chat <id>', 'the chat')
    .option(...SERVICE_URL)
    .option(...JSON_FLAG);
  send.action(async (path: string) => {
    const { sendFile } = await import('./files/bot-file.js');
    await sendFile(environment, path, { ...program.opts<Options>(), ...send.opts<Options & { chat: string }>() });
  });
  const get = group
    .command('get <id>')
    .description('write the bytes of a file to a path, or to standard output')
    .option('--output <path>', 'the path; an existing file is replaced')
    .option(...SERVICE_URL);
  get.action(async (id: string) => {
    const { getFile } = await import('./files/bot-file.js');
    await getFile(environment, id, { ...program.opts<Options>(), ...get.opts<Options & { output?: string }>() });
  });
}

function addNoun(program: Command, noun: Noun, environment: NodeJS.ProcessEnv): void {
  const { name, filters = [], create, update, updateAliases = [], deleting, deleteAliases = [], actions = [] } = noun;
  const group = program.command(name).alias(pluralOf(noun)).description(noun.about).helpCommand(false);
  const one = `${/^[ao]/.test(name) ? 'an' : 'a'} ${name}`;
  const verb = (usage: string, about: string, fields: readonly Field[] = []) => {
    const command = group.command(usage).description(about).helpOption('-h, --help', 'print help');
    if (name !== 'organization' && !noun.isOfInstallation)
      command.option('--org <id>', 'the organization; optional if there is only one');
    if (noun.parent) command.requiredOption(`--${noun.parent} <id>`, `the ${noun.parent} it belongs to`);
    addFields(command, fields);
    // If the resource has its own `--url` option, the service's option must come before the noun.
    if (!fields.some(({ field }) => field === 'url')) command.option(...SERVICE_URL);
    return command.option(...JSON_FLAG);
  };
  const onRun = (
    command: Command,
    fields: readonly Field[],
    work: (verbs: Verbs, values: Values, id: string) => unknown,
  ) =>
    command.action(async () => {
      const own = command.opts<Record<string, unknown>>();
      const global = program.opts<Options>();
      const values = valuesOf(command, fields);
      const url = fields.some(({ field }) => field === 'url') ? undefined : (own.url as string | undefined);
      const options: Options = { ...own, url: url ?? global.url, json: Boolean(own.json ?? global.json) };
      await work(new Verbs(noun, options, environment), values, command.args[0]!);
    });

  if (noun.isSingle) {
    onRun(verb('get', 'show its settings'), [], (verbs) => verbs.get());
    onRun(verb('update', 'change the given settings', update!), update!, (verbs, values) =>
      verbs.update(undefined, values),
    );
    return;
  }
  const list = verb('list', `list ${itemsOf(noun)}`, filters)
    .option('--limit <number>', 'the most to list; default: all', wholeNumber)
    .option('--cursor <cursor>', 'continue after a list with --limit, which prints the cursor');
  onRun(list, filters, (verbs, values) => verbs.list(values));
  if (!noun.isListOnly) onRun(verb('get <id>', `show ${one}`), [], (verbs, _, id) => verbs.get(id));
  if (create) onRun(verb('create', `create ${one}`, create), create, (verbs, values) => verbs.create(values));
  if (noun.set)
    onRun(verb('set', `replace all ${itemsOf(noun)}`, noun.set), noun.set, (verbs, values) => verbs.set(values));
  if (update) {
    const optional = update.map((field) => ({ ...field, isRequired: false }));
    const command = verb('update <id>', `change the given fields of ${one}`, optional).aliases(updateAliases);
    onRun(command, optional, (verbs, values, id) => verbs.update(id, values));
  }
  if (deleting) {
    const command = verb('delete <id>', `delete ${one}: ${deleting}`).aliases(deleteAliases);
    if (noun.deletesNow) command.option('--now', noun.deletesNow);
    onRun(command.option('-y, --yes', 'delete without asking'), [], (verbs, _, id) => verbs.delete(id));
  }
  if (noun.isExported && noun.isListOnly) {
    onRun(verb('export', `print ${itemsOf(noun)} as CSV`, filters), filters, (verbs, values) =>
      verbs.exportList(values),
    );
  } else if (noun.isExported) {
    const command = verb('export <id>', `print everything that is stored about ${one}, as JSON`);
    onRun(command, [], (verbs, _, id) => verbs.export(id));
  }
  for (const action of actions) {
    const { verb: name, about, fields = [] } = action;
    onRun(verb(`${name} <id>`, about, fields), fields, (verbs, values, id) => verbs.act(action, id, values));
  }
  if (name === 'organization') addCopy(group, environment, program);
  if (name === 'bot') addBotVerbs(verb, onRun);
  if (name === 'delivery') {
    const command = verb('redeliver [id]', 'send a delivered or dead one again, or all dead ones since a time');
    command.option('--since <time>', 'all dead ones created since this time, such as 2026-11-21T00:00:00Z');
    onRun(command, [], (verbs, _, id) => verbs.redeliver(id, command.opts<{ since?: string }>().since));
  }
}

function addCopy(group: Command, environment: NodeJS.ProcessEnv, program: Command): void {
  const command = group
    .command('copy <id>')
    .description('copy one from another database, such as a restored backup, into the database of DATABASE_URL')
    .helpOption('-h, --help', 'print help')
    .requiredOption(
      '--from <url>',
      'the address of the other database, like postgres://parley@127.0.0.1/parley_restored; its password may be in PGPASSWORD',
    )
    .option(...JSON_FLAG);
  command.action(async (id: string) => {
    const { copyOrganization } = await import('./copy/copy.js');
    const options = { ...program.opts<Options>(), ...command.opts<Options & { from: string }>() };
    await copyOrganization(environment, id, options);
  });
}

function addFields(command: Command, fields: readonly Field[]): void {
  for (const { flags, about, field, isRequired } of fields) {
    const option = new Option(flags, about).makeOptionMandatory(isRequired ?? false);
    const others = fields.filter((other) => other.field === field && other.flags !== flags);
    command.addOption(option.conflicts(others.map((other) => new Option(other.flags).attributeName())));
  }
}

function valuesOf(command: Command, fields: readonly Field[]): Values {
  const own = command.opts<Record<string, unknown>>();
  const pairs = fields.map((field) => [field, own[new Option(field.flags).attributeName()]] as const);
  return new Map(pairs.filter(([, value]) => value !== undefined));
}
