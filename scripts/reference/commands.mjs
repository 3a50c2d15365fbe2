import { buildProgram } from '../../dist/src/cli/program.js';
import { code, table } from './table.mjs';

const program = buildProgram({}, '');
/** The options of every command; they're listed once. */
const COMMON = ['--org', '--url', '--json'].map(findCommon);
const isOwn = (option) => !COMMON.some(({ flags, description }) => isSame(option, flags, description));
const isSame = (option, flags, description) => option.flags === flags && option.description === description;

/** A description as a sentence. Values, such as `pending, delivered`, keep their case. */
const sentence = (text) => `${/^[a-z']+ /.test(text) ? text[0].toUpperCase() + text.slice(1) : text}.`;

/** Every command of the command line, and every option. */
export function commands() {
  const common = table(['Option', 'What it does'], COMMON.map(toCells));
  return `## Every command\n\n${common}\n\n${program.commands.map(describe).join('\n\n')}`;
}

function findCommon(long) {
  const all = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
  return all.flatMap(({ options }) => options).find((option) => option.long === long);
}

function toCells({ flags, description, defaultValue }) {
  return [code(flags), sentence(description) + (defaultValue === undefined ? '' : ` Default: ${defaultValue}.`)];
}

/** A noun with its verbs, or a command without verbs. */
function describe(command) {
  const verbs = command.commands;
  const title = `## parley ${command.name()}\n\n${sentence(command.description())}`;
  if (verbs.length === 0) return [title, optionsOf([command])].filter(Boolean).join('\n\n');
  const rows = verbs.map((verb) => [namesOf(command, verb), sentence(verb.description())]);
  return [title, table(['Command', 'What it does'], rows), optionsOf(verbs)].filter(Boolean).join('\n\n');
}

function namesOf(noun, verb) {
  const given = verb.registeredArguments.map((argument) =>
    argument.required ? ` <${argument.name()}>` : ` [${argument.name()}]`,
  );
  return [verb.name(), ...verb.aliases()]
    .map((name) => code(`parley ${noun.name()} ${name}${given.join('')}`))
    .join(' or ');
}

/** The options of several commands, each with the commands that take it. */
function optionsOf(verbs) {
  const options = new Map();
  for (const verb of verbs)
    for (const option of verb.options.filter(isOwn)) {
      const key = `${option.flags} ${option.description}`;
      const known = options.get(key) ?? { option, verbs: [] };
      known.verbs.push(option.mandatory ? `${code(verb.name())} (required)` : code(verb.name()));
      options.set(key, known);
    }
  if (options.size === 0) return '';
  const hasVerbs = verbs.length > 1 || verbs[0].parent !== program;
  const rows = Array.from(options.values(), ({ option, verbs: takers }) => {
    const [flags, about] = toCells(option);
    return hasVerbs ? [flags, takers.join(', '), about] : [flags, about];
  });
  return table(hasVerbs ? ['Option', 'Of', 'What it does'] : ['Option', 'What it does'], rows);
}
