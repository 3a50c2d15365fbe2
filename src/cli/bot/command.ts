import type { Command } from 'commander';
import { CONNECTION_KINDS } from '../../bot-connections/model/connection.js';
import { wholeNumber } from '../dev/command.js';
import type { Field } from '../noun.js';
import type { Values, Verbs } from '../verbs.js';
import type { ConnectFiles } from './connect.js';

/** Makes a verb of the noun. */
export type MakeVerb = (usage: string, about: string, fields?: readonly Field[]) => Command;
/** Says what a verb does. */
export type OnRun = (
  command: Command,
  fields: readonly Field[],
  work: (verbs: Verbs, values: Values, id: string) => unknown,
) => void;

/** The most turns that are listed without `--limit`. */
const MAX_TURNS = 50;

const CONNECT: readonly Field[] = [
  { flags: '--kind <kind>', about: CONNECTION_KINDS.join(', '), field: 'kind', isRequired: true },
  {
    flags: '--url <url>',
    about: 'the address: of openai and dify the base, such as https://api.example/v1; required except with script',
    field: 'url',
  },
  { flags: '--model <name>', about: 'with openai: the name of the model, required', field: 'model' },
];
const TURNS: readonly Field[] = [
  { flags: '--status <status>', about: 'such as FAILED or HANDED_OVER', field: 'status' },
];

/** Adds the verbs that only bots have. */
export function addBotVerbs(verb: MakeVerb, onRun: OnRun): void {
  const events = verb('events <id>', 'print the waiting events for debugging; the bot still gets them');
  events.option('--follow', 'take the events away from the bot, and wait for more; stop the bot first');
  onRun(events, [], (verbs, _, id) => verbs.events(id, events.opts<{ follow?: boolean }>().follow ?? false));
  addConnectionVerbs(verb, onRun);
  const turns = verb('turns <id>', 'list the turns of its connection, newest first', TURNS)
    .option('--limit <number>', `the most to list; default: ${MAX_TURNS}`, wholeNumber)
    .option('--follow', 'print each turn when it ends, until you interrupt it');
  onRun(turns, TURNS, async (verbs, values, id) => {
    const { BotTurns } = await import('./turns.js');
    const { follow, limit = MAX_TURNS } = turns.opts<{ follow?: boolean; limit?: number }>();
    const of = new BotTurns(await verbs.bot(id), [...values.values()][0] as string | undefined);
    await (follow ? of.follow() : of.print(limit));
  });
}

function addConnectionVerbs(verb: MakeVerb, onRun: OnRun): void {
  const connect = verb(
    'connect <id>',
    'connect it to an address or a script that answers; replaces its connection',
    CONNECT,
  )
    .option('--key-file <path>', "a file with the key; '-' for standard input")
    .option('--header-file <path>', "a file with headers, one 'Name: value' a line; '-' for standard input")
    .option('--instructions-file <path>', "with openai: a file with the model's instructions; '-' for standard input")
    .option(
      '--script-file <path>',
      "with script: a file with the script as JSON; '-' for standard input; default: the built-in one",
    );
  onRun(connect, CONNECT, async (verbs, values, id) => {
    const { connectBot } = await import('./connect.js');
    await connectBot(await verbs.bot(id), verbs.bodyOf(values), connect.opts<ConnectFiles>());
  });
  const connection = verb('connection <id>', 'show its connection, without secrets');
  onRun(connection, [], async (verbs, _, id) => {
    const { service, path, show } = await verbs.bot(id);
    show.item(await service.get(`${path}/connection`));
  });
  const disconnect = verb(
    'disconnect <id>',
    'delete its connection, with the secrets; agents get what it was answering',
  );
  onRun(disconnect.option('-y, --yes', 'delete without asking'), [], (verbs, _, id) => verbs.disconnect(id));
  const test = verb('test <id>', 'ask the endpoint in a chat that does not exist, and print the answer while it comes');
  onRun(test.option('--message <text>', 'what the visitor says; default: Hello'), [], async (verbs, _, id) => {
    const { testBot } = await import('./test.js');
    await testBot(await verbs.bot(id), test.opts<{ message?: string }>().message);
  });
}
