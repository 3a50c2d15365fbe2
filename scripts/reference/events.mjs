import { makeDocuments } from '../openapi/documents.mjs';
import { anchored, code, table } from './table.mjs';

const documents = Object.fromEntries(await makeDocuments());

/** A part of a payload with at most so many fields is shown with them. */
const SMALL = 4;

/** The fields of a payload as `{chat, agent: {id, name}, by?}`. */
function fieldsOf(schema, document) {
  const forms = schema.oneOf ?? [schema];
  return forms.map((form) => code(shapeOf(resolve(form, document), document))).join(', or ');
}

function shapeOf({ properties, required = [] }, document) {
  const fields = Object.entries(properties).map(([name, field]) => {
    const [form] = field.oneOf ?? field.anyOf ?? field.allOf ?? [field];
    const part = resolve(form.items ?? form, document);
    const isSmall = part.properties && Object.keys(part.properties).length <= SMALL;
    const shape = isSmall ? shapeOf(part, document) : '';
    return `${name}${required.includes(name) ? '' : '?'}${shape && `: ${form.items ? `[${shape}]` : shape}`}`;
  });
  return `{${fields.join(', ')}}`;
}

function resolve(schema, { components }) {
  return schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema;
}

const whenOf = (description) => `${description}.`;

/** The events of webhooks and of polling. */
export function webhookEvents() {
  const document = documents.bot;
  const rows = Object.entries(document.webhooks).map(([type, { post }]) => {
    const { $ref } = post.requestBody.content['application/json'].schema;
    const event = document.components.schemas[$ref.split('/').at(-1)];
    return [anchored(type), whenOf(post.summary), fieldsOf(event.properties.data, document)];
  });
  return table(['Type', 'When', '`data`'], rows);
}

/** The events that a namespace sends. */
const socketEvents = (name) => () => {
  const document = documents[name];
  const rows = Object.entries(document['x-socket-events']).map(([event, { description, ...schema }]) => [
    anchored(`${name}-${event}`, event),
    whenOf(description),
    fieldsOf(schema, document),
  ]);
  return table(['Event', 'When', 'Payload'], rows);
};

export const visitorEvents = socketEvents('visitor');
export const agentEvents = socketEvents('agent');
