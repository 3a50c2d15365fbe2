#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { run } from './program.js';

// The reader may close the pipe early, as in `parley chat list | head`. A command that has to clean up does so first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!process.emit('SIGHUP')) process.exit();
});

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
process.exitCode = await run(process.argv.slice(2), process.env, version);
