/** The parts of the table of variables, in its order. @public scripts/reference reads it from the build */
export const VARIABLE_GROUPS = {
  service: 'Where it listens and what it uses',
  secrets: 'Secrets',
  rates: 'Rates',
  anonymous: 'Anonymous visitors',
  delivery: 'Webhooks and sockets',
  files: 'Files',
  mail: 'E-mail',
  push: 'Push notifications',
} as const;

interface Variable {
  group: keyof typeof VARIABLE_GROUPS;
  /** The default as Markdown, if it isn't that of the class `Config`. */
  default?: string;
  /** What it does, as Markdown. */
  meaning: string;
  /** The valid values, as Markdown; for a number, its range instead. */
  values?: string;
  /** The lowest and the highest value of a whole number. */
  range?: readonly [min: number, max: number];
}

const SECRET = 'at least 8 visible ASCII characters, no space; in production at least 32';
const LIMIT = [0, 1_000_000] as const;
const AMOUNT = [0, 1_000_000_000_000] as const;

/** Every environment variable of the service. The table of variables is generated from it (`npm run generate:reference`). */
export const VARIABLES = {
  NODE_ENV: {
    group: 'service',
    default: 'unset',
    values: '`production`, `development`, `test`',
    meaning:
      '`production` requires `DATABASE_URL`, `ADMIN_TOKEN`, and `SECRET_KEY`, and stricter secrets and webhook addresses.',
  },
  HOST: {
    group: 'service',
    values: 'an address or a name of this machine',
    meaning: 'The address that Parley listens on. The container image sets `0.0.0.0`.',
  },
  PORT: { group: 'service', range: [0, 65_535], meaning: 'The port that Parley listens on. `0` takes any free port.' },
  PUBLIC_URL: {
    group: 'service',
    default: 'made from `HOST` and `PORT`',
    values: 'an http or https address without user, query, and fragment',
    meaning:
      "Parley's address for others: in sign-in links, cookies, and the `type` of errors. [With a path](../operate/path.md), Parley is below it.",
  },
  TRUST_PROXY: {
    group: 'service',
    default: 'no proxy',
    values: 'a number, or addresses and networks like `10.0.0.0/8, loopback`',
    meaning: 'How many proxies are in front of Parley, or their addresses. Parley trusts their `X-Forwarded-For`.',
  },
  DATABASE_URL: {
    group: 'service',
    default: "Parley's own PostgreSQL",
    values: 'a `postgres://` address with one or more hosts',
    meaning:
      'PostgreSQL 15 or newer. Of several hosts, Parley uses the one that accepts writes. The start waits up to 30 s for it.',
  },
  DATABASE_POOL_SIZE: { group: 'service', range: [2, 1000], meaning: 'Maximum database connections of this process.' },
  MIGRATION_WAIT_MINUTES: {
    group: 'service',
    range: [1, 1_440],
    meaning:
      "Minutes that building an index waits for each of others' transactions. Then [the start ends](../operate/upgrades.md#what-happens-at-the-start).",
  },
  REDIS_URL: {
    group: 'service',
    default: 'unset: one node',
    values: 'a `redis://` or `rediss://` address',
    meaning: 'Connects several nodes on one database. Redis 7 or newer.',
  },
  DATA_DIR: {
    group: 'service',
    values: 'a directory',
    meaning:
      "Holds the bytes of [files](../operate/files.md), Parley's own database, generated secrets (`secrets.json`), and the demo's (`demo.json`).",
  },
  DEMO: {
    group: 'service',
    default: '`1`, in production `0`',
    values: '`0`, `1`',
    meaning: 'Creates the demo organization in an empty database, while `HOST` is loopback.',
  },
  DRILL: {
    group: 'service',
    default: '`0`',
    values: '`0`, `1`',
    meaning:
      'To [inspect a restored copy](../operate/backup.md#inspect-a-copy): Parley sends no webhooks, removes nothing by itself, and ignores `REDIS_URL`.',
  },
  LOG_LEVEL: {
    group: 'service',
    values: '`fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`',
    meaning: 'The lowest level that is logged. Successful requests are `debug`.',
  },
  ADMIN_TOKEN: {
    group: 'secrets',
    default: 'generated once',
    values: SECRET,
    meaning: 'The token of `/api/admin`.',
  },
  SECRET_KEY: {
    group: 'secrets',
    default: 'generated once',
    values: SECRET,
    meaning:
      "Signs visitors' tokens, and encrypts secrets in the database. Parley doesn't start with another key than the database's, so [replace it](../operate/security.md#replace-secret_key) in steps.",
  },
  SECRET_KEY_PREVIOUS: {
    group: 'secrets',
    default: 'unset',
    values: 'at least 8 visible ASCII characters, no space',
    meaning:
      'A second key while you [replace `SECRET_KEY`](../operate/security.md#replace-secret_key). What it signed or encrypted is valid too.',
  },
  METRICS_TOKEN: {
    group: 'secrets',
    default: 'unset: this machine only',
    values: 'at least 8 visible ASCII characters, no space',
    meaning: 'The token of `/metrics`.',
  },
  BOT_RATE_LIMIT: { group: 'rates', range: LIMIT, meaning: 'Requests per second and access token.' },
  AGENT_RATE_LIMIT: { group: 'rates', range: LIMIT, meaning: "Requests per second and agent's session." },
  VISITOR_RATE_LIMIT: {
    group: 'rates',
    range: LIMIT,
    meaning:
      'Requests and socket events per second and visitor. New sessions per second and address. Ten times as many requests without a token per second and address.',
  },
  VISITOR_CONNECTION_LIMIT: {
    group: 'rates',
    range: LIMIT,
    meaning: 'Open sockets per address, and as many other connections of strangers. Trusted proxies have no limit.',
  },
  WRONG_TOKEN_LIMIT: {
    group: 'rates',
    range: LIMIT,
    meaning: 'Wrong tokens of any kind per minute and address. Beyond it, wrong ones get 429 until the minute ends.',
  },
  NEW_VISITOR_LIMIT: {
    group: 'rates',
    range: LIMIT,
    meaning: 'New visitors per minute and address, and as many new chats.',
  },
  ANONYMOUS_MESSAGES_PER_DAY: {
    group: 'anonymous',
    range: AMOUNT,
    meaning: 'Messages that the anonymous visitors of an address may store in a day. `0` = off.',
  },
  ANONYMOUS_BYTES_PER_DAY: {
    group: 'anonymous',
    range: AMOUNT,
    meaning: 'Bytes that the anonymous visitors of an address may store in a day. `0` = off.',
  },
  ANONYMOUS_ORGANIZATION_MESSAGES_PER_DAY: {
    group: 'anonymous',
    range: AMOUNT,
    meaning: 'Messages that all anonymous visitors of an organization may store in a day. `0` = off.',
  },
  ANONYMOUS_ORGANIZATION_BYTES_PER_DAY: {
    group: 'anonymous',
    range: AMOUNT,
    meaning: 'Bytes that all anonymous visitors of an organization may store in a day. `0` = off.',
  },
  ANONYMOUS_RETENTION_DAYS: {
    group: 'anonymous',
    range: [0, 3_650],
    meaning: 'Anonymous visitors who never wrote are removed after this many days. `0` = never.',
  },
  DELETED_ORGANIZATION_DAYS: {
    group: 'service',
    range: [0, 90],
    meaning:
      'Days until a deleted organization is [removed](../operate/data.md#delete-an-organization). Until then, you can restore it. `0` = removed immediately.',
  },
  WEBHOOK_ALLOWED_HOSTS: {
    group: 'delivery',
    default: 'none',
    values: 'host, host:port, address, or CIDR, comma-separated',
    meaning: 'What webhooks may reach besides public addresses ([addresses](webhooks.md#addresses)).',
  },
  WEBHOOK_RETRY_SECONDS: {
    group: 'delivery',
    default: '5 s … 24 h, nine of them',
    values: 'up to 50 numbers of seconds like `5,300,1800`, each at most 2,592,000',
    meaning: 'Seconds before each [retry](webhooks.md#retries). After the last one, the delivery is dead.',
  },
  WEBHOOK_RETENTION_DAYS: {
    group: 'delivery',
    range: [1, 3_650],
    meaning: 'Days that successful deliveries are kept.',
  },
  SOCKET_TRANSPORTS: {
    group: 'delivery',
    default: '`websocket,polling`; with `REDIS_URL`, `websocket`',
    values: '`websocket`, `polling`, comma-separated',
    meaning: 'How sockets may connect. With several nodes, `polling` needs a load balancer with sticky sessions.',
  },
  FILES_URL: {
    group: 'files',
    default: 'unset: the folder `DATA_DIR/files`',
    values: '`s3://KEY:SECRET@HOST[:PORT]/BUCKET[?region=REGION&style=path|virtual&tls=1|0]`',
    meaning: 'The bucket of a store that speaks the S3 API, for the bytes of [files](../operate/files.md).',
  },
  FILES_PUBLIC_URL: {
    group: 'files',
    default: 'unset: the address in `FILES_URL`',
    values: 'an http or https address without a path',
    meaning: 'The store of `FILES_URL` as browsers see it.',
  },
  FILES_ORIGIN: {
    group: 'files',
    default: 'unset: `PUBLIC_URL`',
    values: 'an http or https address without a path',
    meaning: 'An origin of its own for files, which leads to the same service. Recommended.',
  },
  FILE_MAX_SIZE: { group: 'files', range: [1, 5_368_709_120], meaning: 'Maximum bytes of a file.' },
  FILES_MIN_FREE: {
    group: 'files',
    default: 'the lower one of 1 GB and 5 % of the disk',
    values: 'a number of bytes',
    meaning: 'Free bytes that an upload leaves on the disk. Beyond it, uploads are 503.',
  },
  FILE_SCAN_URL: {
    group: 'files',
    default: 'unset: no scan',
    values: '`clamd://HOST:PORT`, or an http or https address',
    meaning: 'Scans the bytes of each file before a message may refer to it.',
  },
  SMTP_URL: {
    group: 'mail',
    default: 'unset: no mail is sent',
    values: '`smtp://USER:PASSWORD@HOST:PORT`, or `smtps://…`',
    meaning:
      'The server that sends [e-mails](../operate/mail.md). TLS is required, except on this machine, and with `smtp://…?tls=0` for a server in a network of your own. Needs `MAIL_FROM` and `PUBLIC_URL`.',
  },
  IMAP_URL: {
    group: 'mail',
    default: 'unset: no mailbox is read',
    values: '`imap://USER:PASSWORD@HOST:PORT`, or `imaps://…`',
    meaning:
      'The [mailbox](../operate/mail.md#read-replies) that replies arrive in. TLS is required, except on this machine. Needs `SMTP_URL`.',
  },
  MAIL_OAUTH_PROVIDER: {
    group: 'mail',
    default: 'unset: passwords',
    values: '`microsoft`, `google`, `custom`',
    meaning:
      'Who signs Parley in to `SMTP_URL` and `IMAP_URL` with [OAuth](../operate/mail.md#sign-in-with-oauth), if they have a user and no password.',
  },
  MAIL_OAUTH_CLIENT_ID: {
    group: 'mail',
    default: 'unset',
    values: 'a text',
    meaning: "The client's id at the provider.",
  },
  MAIL_OAUTH_CLIENT_SECRET: {
    group: 'mail',
    default: 'unset: a public client',
    values: 'a text',
    meaning: "The client's secret at the provider.",
  },
  MAIL_OAUTH_TENANT: {
    group: 'mail',
    default: '`common`',
    values: 'a tenant id, or a domain of the tenant',
    meaning: 'The tenant at Microsoft. Required for `parley mail authorize --app`.',
  },
  MAIL_OAUTH_AUTHORIZE_URL: {
    group: 'mail',
    default: "the provider's",
    values: 'an https address',
    meaning: 'With `custom`: the page where a person signs in.',
  },
  MAIL_OAUTH_TOKEN_URL: {
    group: 'mail',
    default: "the provider's",
    values: 'an https address',
    meaning: 'With `custom`: the address that gives tokens.',
  },
  MAIL_OAUTH_SCOPE: {
    group: 'mail',
    default: "the provider's",
    values: 'words separated by spaces',
    meaning: 'With `custom`: what the token allows.',
  },
  MAIL_FROM: {
    group: 'mail',
    default: 'unset',
    values: '`Name <address>`, or an address',
    meaning: 'The sender of e-mails. Without a name, they have the name of their organization.',
  },
  MAIL_REPLY_ADDRESS: {
    group: 'mail',
    default: 'the address of `MAIL_FROM`',
    values: 'an e-mail address with at most 30 characters before the @',
    meaning: 'The address for replies. Mail to `local+anything@domain` must arrive there too.',
  },
  MAIL_SENDER: {
    group: 'mail',
    default: 'unset: an address for each mail',
    values: 'an e-mail address',
    meaning: "A fixed envelope sender, for servers that accept only the mailbox's own.",
  },
  MAIL_DKIM_DOMAIN: {
    group: 'mail',
    default: 'unset: mails are not signed',
    values: 'a domain',
    meaning: 'The domain of the DKIM signature. Needs the two variables below.',
  },
  MAIL_DKIM_SELECTOR: { group: 'mail', default: 'unset', values: 'a name', meaning: 'The selector of the DKIM key.' },
  MAIL_DKIM_KEY: {
    group: 'mail',
    default: 'unset',
    values: 'an RSA private key in PEM',
    meaning: 'The key that signs e-mails. Its line breaks may be written as `\\n`.',
  },
  MAIL_AUTHSERV_ID: {
    group: 'mail',
    default: 'unset: no answer has proof of its sender',
    values: 'a name, or `microsoft`',
    meaning:
      'The id of the receiving server in `Authentication-Results`. Answers with proof become messages without an agent.',
  },
  MAIL_INBOUND_TOKEN: {
    group: 'mail',
    default: 'unset: no mail is taken by HTTP',
    values: 'at least 8 visible ASCII characters, no space',
    meaning: 'The token of `POST /api/mail/inbound`. Needs `SMTP_URL`.',
  },
  MAIL_MAX_PER_HOUR: {
    group: 'mail',
    range: [1, 1_000_000],
    meaning: "E-mails of an organization to visitors in an hour. Further ones wait. E-mails to agents aren't counted.",
  },
  MAIL_RETRY_SECONDS: {
    group: 'mail',
    default: '`60,300,900,3600`',
    values: 'up to 50 numbers of seconds like `60,300,900`, each at most 2,592,000',
    meaning: 'Seconds before each retry of an e-mail. The last one repeats, until 24 hours after the first attempt.',
  },
  VAPID_KEYS: {
    group: 'push',
    default: 'a generated key in the database',
    values: '1 to 10 private keys of 43 characters, separated by commas, newest first',
    meaning:
      'The VAPID keys that identify Parley to push services, as `npx web-push generate-vapid-keys` prints them. Keep an old one until browsers have subscribed with the new one.',
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof VARIABLES;

/** The range of a variable that is a whole number. */
export function rangeOf(name: VariableName): readonly [min: number, max: number] {
  const { range } = VARIABLES[name] as Variable;
  if (!range) throw new Error(`${name} has no range`);
  return range;
}
