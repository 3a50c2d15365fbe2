#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { BotWorkspace } from '../workspace/bot-workspace.js';
import { addDevOptions } from './command.js';
import { runDev } from './dev.js';
import type { DevOptions } from './options.js';
import { CliError, EXIT, usage } from '../errors.js';
import { note } from '../show.js';

// The command of the package parley-bot: `parley dev` for someone who has no admin token. scripts/pack-sdk.mjs bundles it.

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!process.emit('SIGHUP')) process.exit();
});

const program = new Command('parley-bot').helpCommand(false).exitOverride().enablePositionalOptions();
const dev = addDevOptions(program.command('dev'))
  .option('--url <url>', "the service's address; default: PARLEY_URL")
  .option('--json', 'print a line of JSON for everything that happens');
dev.action(async (command: string[]) => {
  const { PARLEY_TOKEN } = process.env;
  if (!PARLEY_TOKEN) throw usage("set PARLEY_TOKEN to the bot's token, and PARLEY_URL to the service's address");
  const options = dev.opts<DevOptions>();
  process.exitCode = await runDev(process.env, options, command, (url) => BotWorkspace.of(url, PARLEY_TOKEN));
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CliError) note(`parley-bot: ${error.message}`);
  else if (!(error instanceof CommanderError)) throw error;
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  process.exitCode = error instanceof CliError ? error.exitCode : isHelp ? EXIT.ok : EXIT.usage;
}
