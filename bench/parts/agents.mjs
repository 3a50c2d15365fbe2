import { measureAbsence } from '../agents/absence.mjs';
import { measureClaims } from '../agents/claims.mjs';
import { measureIdleAgents } from '../agents/idle.mjs';
import { measureOffers } from '../agents/offers.mjs';
import { measurePasswords } from '../agents/passwords.mjs';
import { measureRoad } from '../agents/road.mjs';
import { measureTimers } from '../agents/timers.mjs';
import { measureViews } from '../agents/views.mjs';
import { prepareAgents } from '../agents.mjs';

/** What is measured, by the name after `agents:`. */
const MEASURED = {
  views: measureViews,
  road: measureRoad,
  idle: measureIdleAgents,
  claims: measureClaims,
  offers: measureOffers,
  timers: measureTimers,
  absence: measureAbsence,
  passwords: measurePasswords,
};

/** `agents`, which measures everything that people who answer need, and `agents:…` for each part of it alone. */
export const AGENT_PARTS = {
  agents: (bench) => measure(bench, Object.keys(MEASURED)),
  ...Object.fromEntries(Object.keys(MEASURED).map((name) => [`agents:${name}`, (bench) => measure(bench, [name])])),
};

/** Figures with limits of their own. */
async function measure(bench, names) {
  const begin = performance.now();
  const agents = await prepareAgents(bench);
  const limits = [];
  for (const name of names) {
    console.log(`${name} (${secondsSince(begin)} s)`);
    limits.push(...(await MEASURED[name](bench, agents)));
  }
  return limits;
}

function secondsSince(begin) {
  return Math.round((performance.now() - begin) / 1000);
}
