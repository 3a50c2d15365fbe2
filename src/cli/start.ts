#!/usr/bin/env -S node --max-semi-space-size=32
// `npx parley-chat` starts the service, and `npx parley-chat doctor` is the command line.
await import(process.argv.length > 2 ? './main.js' : '../main.js');
