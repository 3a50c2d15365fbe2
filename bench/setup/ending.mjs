const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const closers = [];
let isEnding = false;

/** Something to undo when the run ends, however it ends; the last is undone first, what comes too late at once. */
export function onEnd(closer) {
  if (isEnding) void closer().catch(() => undefined);
  else closers.push(closer);
}

/** Runs `main` and ends the process after it, also on Ctrl-C and on errors, leaving nothing behind. */
export async function runToEnd(main) {
  for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => void end(code));
  process.on('uncaughtException', fail);
  await main().then(() => end(0), fail);
}

// What fails because we are ending is no news.
function fail(error) {
  if (!isEnding) console.error(`\nThe benchmark failed: ${error.message}`);
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
