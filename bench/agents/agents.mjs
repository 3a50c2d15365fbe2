import { measureAbsence } from './absence.mjs';
import { measureBulk } from './bulk.mjs';
import { measureClaims } from './claims.mjs';
import { measureIdleAgents } from './idle.mjs';
import { measureOffers } from './offers.mjs';
import { measurePasswords } from './passwords.mjs';
import { measureRoad } from './road.mjs';
import { measureTimers } from './timers.mjs';
import { measureViews } from './views.mjs';
import { prepareAgents } from './prepare.mjs';

/** The parts, by the name after `agents:`. */
const MEASURED = {
  views: measureViews,
  road: measureRoad,
  idle: measureIdleAgents,
  claims: measureClaims,
  bulk: measureBulk,
  offers: measureOffers,
  timers: measureTimers,
  absence: measureAbsence,
  passwords: measurePasswords,
};

/** `agents` measures everything that agents need, and `agents:…` one part of it. */
export const AGENT_PARTS = {
  agents: (bench) => measure(bench, Object.keys(MEASURED)),
  ...Object.fromEntries(Object.keys(MEASURED).map((name) => [`agents:${name}`, (bench) => measure(bench, [name])])),
};

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
