// Reads resources of Kubernetes as JSON from standard input, and checks each by the schema of its API. Prints what's wrong, and fails.
// A process of its own, because the schemas are installed while the tests run.
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const SCHEMAS = join(import.meta.dirname, '../node_modules/kubernetes-models');
const faults = [];
for (const resource of JSON.parse(await text(process.stdin))) {
  const { apiVersion, kind } = resource;
  const models = await import(join(SCHEMAS, apiVersion, `${kind}.mjs`));
  try {
    new models[kind](resource).validate();
  } catch (error) {
    faults.push(`${kind}: ${error.message}`);
  }
}
console.log(faults.join('\n'));
process.exitCode = faults.length > 0 ? 1 : 0;
