import { pipeline } from 'node:stream/promises';
import { confirm } from './confirm.js';
import { findToken, findUrl } from './connection.js';
import { CliError, EXIT, usage } from './errors.js';
import { BotEvents } from './events.js';
import { type Action, type Field, itemsOf, type Noun, pluralOf } from './noun.js';
import { checkId, findOrganization } from './organization.js';
import { type Item, type PageOptions, Service } from './service.js';
import { Show } from './show.js';
import { printableJson } from './text.js';

/** The parsed options, by commander's names. */
export interface Options {
  url?: string;
  json?: boolean;
  org?: string;
  bot?: string;
  webhook?: string;
  yes?: boolean;
  now?: boolean;
  limit?: number;
  cursor?: string;
}

/** A bot, and how it's reached and shown. */
export interface ItemClient {
  service: Service;
  path: string;
  show: Show;
  isJson: boolean;
}

/** The values of a noun's options, by field. */
export type Values = ReadonlyMap<Field, unknown>;

/** Runs the verbs of a noun against a service. */
export class Verbs {
  readonly show: Show;
  private readonly service: Service;

  constructor(
    private readonly noun: Noun,
    private readonly options: Options,
    environment: NodeJS.ProcessEnv,
  ) {
    const width = process.stdout.columns ?? (Number(environment.COLUMNS) || Infinity);
    this.show = new Show(options.json ?? false, width);
    const connection = { url: findUrl(environment, options.url), ...findToken(environment) };
    this.service = new Service(connection, noun.isOfInstallation ? '/api/admin' : undefined);
  }

  async list(values: Values): Promise<void> {
    const { limit, cursor }: PageOptions = this.options;
    const page = await this.service.list(await this.path(), itemsOf(this.noun), toBody(values), { limit, cursor });
    this.show.page(this.noun, page);
  }

  async get(id?: string): Promise<void> {
    this.show.item(await this.service.get(await this.path(id)), this.noun);
  }

  async create(values: Values): Promise<void> {
    this.show.item(await this.service.post(await this.path(), toBody(values)), this.noun);
  }

  /** Replaces the list. */
  async set(values: Values): Promise<void> {
    this.show.page(this.noun, await this.service.put(await this.path(), toBody(values)));
  }

  async update(id: string | undefined, values: Values): Promise<void> {
    const names = this.noun.update!.map(({ flags }) => flags.split(' ')[0]).join(', ');
    if (values.size === 0) throw usage(`there is nothing to change: give ${names}`);
    this.show.item(await this.service.patch(await this.path(id), toBody(values)), this.noun);
  }

  async delete(id: string): Promise<void> {
    const path = await this.path(id);
    if (!this.options.yes && !(await this.mayDelete(path, id))) throw new CliError(EXIT.failed, 'nothing was deleted');
    await this.service.delete(this.options.now ? `${path}?now=true` : path);
    this.show.message(`deleted ${this.noun.name} ${id}`);
  }

  /** Streams the export to stdout, because it may be large. */
  async export(id: string): Promise<void> {
    await this.download(`${await this.path(id)}/export`);
  }

  /** Streams the list's filtered entries to stdout. */
  async exportList(values: Values): Promise<void> {
    await this.download(`${await this.path()}/export?${new URLSearchParams({ ...toBody(values) }).toString()}`);
  }

  async act({ method, path, body, isSuccess, isRepeated }: Action, id: string, values: Values): Promise<void> {
    const [whole, given] = [`${await this.path(id)}${path}`, { ...body, ...toBody(values) }];
    const answer = isRepeated ? await this.service.repeat(whole, given) : await this.service[method](whole, given);
    this.show.item(answer, this.noun);
    if (isSuccess && !isSuccess(answer)) process.exitCode = EXIT.failed;
  }

  /** What commands about one bot need. */
  async bot(id: string): Promise<ItemClient> {
    return { service: this.service, path: await this.path(id), show: this.show, isJson: this.options.json ?? false };
  }

  /** The body that the options make. */
  bodyOf(values: Values): object {
    return toBody(values);
  }

  /** Deletes the connection of a bot. */
  async disconnect(id: string): Promise<void> {
    const path = await this.path(id);
    const isSure = this.options.yes || (await this.mayDelete(path, id, 'the connection of ', 'with its secrets'));
    if (!isSure) throw new CliError(EXIT.failed, 'nothing was deleted');
    await this.service.delete(`${path}/connection`);
    this.show.message(`disconnected bot ${id}`);
  }

  /** Prints the events that wait for a bot, and with `isFollowing` new events too. */
  async events(id: string, isFollowing: boolean): Promise<void> {
    const events = new BotEvents(this.service, await this.path(id), this.options.json ?? false);
    await (isFollowing ? events.follow() : events.print());
  }

  /** Sends one delivery again, or all dead ones since a time. */
  async redeliver(id: string | undefined, since: string | undefined): Promise<void> {
    if ((id === undefined) === (since === undefined)) throw usage('give the id of a delivery, or --since <time>');
    if (since !== undefined)
      return this.show.item(await this.service.post(`${await this.path()}/redeliver`, { since }));
    this.show.item(await this.service.post(`${await this.path(id)}/redeliver`), this.noun);
  }

  private async download(path: string): Promise<void> {
    await pipeline(printablePieces(this.service.download(path)), process.stdout, { end: false });
  }

  private async mayDelete(path: string, id: string, of = '', effect = this.noun.deleting): Promise<boolean> {
    if (!process.stdin.isTTY) return confirm('');
    // With `--now`, an organization that's deleted already has no page.
    const { name, url } = await this.service.get(path).catch((error: unknown) => {
      if (this.options.now) return {} as Item;
      throw error;
    });
    const label = [this.noun.name, name ?? url, id].filter(Boolean).join(' ');
    return confirm(`Delete ${of}${label}, ${effect}?`);
  }

  /** The path of the noun's list, or of one item. */
  private async path(id?: string): Promise<string> {
    if (this.noun.name === 'organization') return id === undefined ? '' : `/${checkId(id)}`;
    const { parent } = this.noun;
    const last = id === undefined ? [] : [checkId(id)];
    if (this.noun.isOfInstallation) return ['', this.noun.path ?? pluralOf(this.noun), ...last].join('/');
    const above = parent ? [`${parent}s`, checkId(this.options[parent]!, `--${parent}`)] : [];
    return [
      '',
      await findOrganization(this.service, this.options.org),
      ...above,
      this.noun.path ?? pluralOf(this.noun),
      ...last,
    ].join('/');
  }
}

async function* printablePieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield printableJson(piece);
}

/** Builds the body from the options. A dot in a field's name leads into an object. */
function toBody(values: Values): object {
  const body: Record<string, unknown> = {};
  for (const [field, value] of values) {
    if (field.isPairs) {
      addPairs(body, value as string, field.flags);
      continue;
    }
    const [outer, inner] = field.field.split('.') as [string, string?];
    const parsed = field.value ?? parseValue(field, value);
    body[outer] = inner === undefined ? parsed : { ...(body[outer] as object), [inner]: parsed };
  }
  return body;
}

function addPairs(body: Record<string, unknown>, text: string, flags: string): void {
  for (const pair of listOf(text, ',')) {
    const at = pair.indexOf('=');
    if (at < 1) throw usage(`${flags.split(' ')[0]} must be NAME=VALUE, such as attr.plan=gold`);
    const name = pair.slice(0, at);
    body[name] = [...((body[name] as string[] | undefined) ?? []), pair.slice(at + 1)];
  }
}

function parseValue(field: Field, value: unknown): unknown {
  const { isList, separator = ',', textOr, numberOr, isNumber, isJson, flags } = field;
  if (isList) return listOf(value as string, separator);
  if (value === textOr) return null;
  if (isJson) return jsonOf(value as string, flags);
  if (numberOr === undefined && !isNumber) return value;
  if (value === numberOr) return null;
  if (!/^\d{1,9}$/.test(value as string))
    throw usage(`${flags.split(' ')[0]} must be a number${numberOr === undefined ? '' : `, or ${numberOr}`}`);
  return Number(value);
}

function jsonOf(text: string, flags: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${flags.split(' ')[0]} must be JSON`);
  }
}

function listOf(text: string, separator: string): string[] {
  return text.split(separator).flatMap((word) => word.trim() || []);
}
