// Loaded into a process before its own code. Writes each host that the process connects to, sends to, or resolves as a
// line of the file RECORD_CONNECTIONS.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

const record = (kind, host) => appendFileSync(process.env.RECORD_CONNECTIONS, `${kind} ${host}\n`);

/** Calls `note` with the arguments of each call of a method. */
function watch(target, name, note) {
  const original = target[name];
  target[name] = function (...args) {
    note(...args);
    return original.apply(this, args);
  };
}

/** `connect` takes options, a path, or a port and a host; Node itself wraps these in an array. */
function noteConnect(first, second) {
  const [options, host] = Array.isArray(first) ? first : [first, second];
  if (typeof options === 'object') record('connect', options.path ?? options.host ?? 'localhost');
  else record('connect', typeof host === 'string' ? host : 'localhost');
}

watch(net.Socket.prototype, 'connect', noteConnect);
watch(dgram.Socket.prototype, 'send', (...args) =>
  record(
    'send',
    args.findLast((arg) => typeof arg === 'string'),
  ),
);
for (const names of [dns, dns.promises]) {
  for (const name of Object.keys(names).filter((key) => /^(?:lookup$|resolve)/.test(key))) {
    watch(names, name, (host) => record('name', host));
  }
}
for (const Resolver of [dns.Resolver, dns.promises.Resolver]) {
  for (const name of ['resolve', 'resolve4', 'resolve6'])
    watch(Resolver.prototype, name, (host) => record('name', host));
}
