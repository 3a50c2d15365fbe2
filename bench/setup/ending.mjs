const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const closers = [];
let isEnding = false;

/** Registers cleanup for the end of the run. The last one runs first. If the run is already ending, it runs immediately. */
export function onEnd(closer) {
  if (isEnding) void closer().catch(() => undefined);
  else closers.push(closer);
}

/** Runs `main`, cleans up, and exits, even on Ctrl-C and after errors. */
export async function runToEnd(main) {
  for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => void end(code));
  process.on('uncaughtException', fail);
  await main().then(() => end(0), fail);
}

// Errors caused by the cleanup aren't reported.
function fail(error) {
  if (!isEnding) console.error(`\nThe run failed: ${error.message}`);
  return end(1);
}

async function end(code) {
  if (isEnding) return;
  isEnding = true;
  while (closers.length > 0)
    await closers
      .pop()()
      .catch((error) => console.error(error));
  process.exit(code);
}
