/**
 * Measures contenders in turns: a warm-up whose figures are dropped, then rounds. Each round starts at the other end of the list, so
 * that no contender benefits from effects that grow over time.
 * @param contenders `{name, run}`, where `run` returns figures by name
 * @returns the results of each contender, in the order of the list
 */
export async function inTurns(contenders, rounds, { warmUp = true } = {}) {
  const results = contenders.map(() => []);
  for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
    const order = contenders.map((contender, index) => ({ ...contender, index }));
    if (round % 2 === 0) order.reverse();
    for (const { name, run, index } of order) {
      const figures = await run();
      console.log(`  ${(round ? `round ${round}` : 'warm-up').padEnd(9)} ${name.padEnd(22)} ${describe(figures)}`);
      if (round > 0) results[index].push(figures);
    }
  }
  return results;
}

const FORMS = {
  perSecond: (value) => `${value.toFixed(0)}/s`,
  p50: (value) => `p50 ${value.toFixed(2)} ms`,
  p95: (value) => `p95 ${value.toFixed(2)} ms`,
  p99: (value) => `p99 ${value.toFixed(2)} ms`,
  ms: (value) => `${value.toFixed(0)} ms`,
  kilobytes: (value) => `${value.toFixed(1)} kB each`,
  cpu: (value) => `the load used ${(value * 100).toFixed(0)} % of a core${value > 0.9 ? ': it is the limit' : ''}`,
};

function describe(figures) {
  const known = Object.entries(figures).filter(([key]) => key in FORMS);
  return known.map(([key, value]) => FORMS[key](value)).join(', ');
}
