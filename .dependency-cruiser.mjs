// The rooms of `src`, from the ground up. A room imports those before its own line alone, so every import runs downward;
// `npm run check:imports` holds it, and scripts/draw-rooms.mjs draws the picture of docs/inside/architecture.md from the code.
export const ROOMS = [
  ['platform'],
  ['organizations'],
  ['groups'],
  ['agents', 'bots', 'visitors'],
  ['auth'],
  ['outbox', 'idempotency'],
  ['chats'],
  ['messages'],
  ['visitor-chats'],
  ['handoff'],
  ['inbox'],
  ['live'],
  ['webhooks', 'pull', 'privacy'],
  ['api'],
  ['cli'],
];

/** The rooms inside a room, from the ground up, by the same rule. Files beside them put them together, and stand above all. */
export const INNER_ROOMS = {
  platform: [
    ['errors'],
    ['lib'],
    ['validation'],
    ['config'],
    ['telemetry'],
    ['database'],
    ['outbound', 'cluster', 'http'],
  ],
  auth: [['context'], ['limits', 'audit'], ['bots', 'visitors', 'agents'], ['sign-in']],
  chats: [['model'], ['reading'], ['moves'], ['signals']],
  live: [['feeds'], ['connections', 'typing'], ['agent-state'], ['agents', 'visitors']],
};

/** The files of some rooms below a folder. */
const folder = (names, base = 'src') => `^${base}/(?:${names.join('|')})/`;

/** What a room may not import: those above it, and those beside it. */
function upwardRules(levels, base) {
  const above = (level) => levels.slice(level + 1).flat();
  const rules = levels.flatMap((rooms, level) =>
    rooms.map((room) => ({
      name: `${[base, room].join('/').replace(/^src\//, '')}-imports-downward`,
      comment: `${room} stands below these: let them call it, or announce a domain event`,
      severity: 'error',
      from: { path: folder([room], base) },
      to: { path: folder([...above(level), ...rooms.filter((other) => other !== room)], base) },
    })),
  );
  return rules.filter(({ to }) => to.path !== folder([], base));
}

/** The rules of the rooms inside a room: every folder has its place, and none imports the files beside them. */
const innerRules = (room, levels) => [
  ...upwardRules(levels, `src/${room}`),
  {
    name: `no-room-of-${room}-outside-the-list`,
    comment: `every folder of ${room} has its place in INNER_ROOMS`,
    severity: 'error',
    from: { path: `^src/${room}/[^/]+/`, pathNot: folder(levels.flat(), `src/${room}`) },
    to: {},
  },
  {
    name: `no-room-of-${room}-imports-the-files-beside-it`,
    comment: `the files directly in ${room} put its rooms together`,
    severity: 'error',
    from: { path: `^src/${room}/[^/]+/` },
    to: { path: `^src/${room}/[^/]+[.]ts$` },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...upwardRules(ROOMS, 'src'),
    ...Object.entries(INNER_ROOMS).flatMap(([room, levels]) => innerRules(room, levels)),
    {
      name: 'migrations-import-no-room',
      comment: 'the rooms change, a migration that was released does not',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^src/' },
    },
    {
      name: 'requests-to-the-outside-are-guarded',
      comment: 'an address that someone else chose is reached through OutboundAgent, which checks it',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/outbound/' },
      to: { path: 'node_modules/undici/' },
    },
    {
      name: 'no-room-outside-the-list',
      comment: 'every folder of src has its place in ROOMS',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: folder(ROOMS.flat()) },
      to: {},
    },
    {
      name: 'nothing-imports-the-start',
      comment: 'main.ts, app.module.ts and app.setup.ts put the rooms together',
      severity: 'error',
      from: { path: '^src/[^/]+/' },
      to: { path: '^src/[^/]+[.]ts$' },
    },
    {
      name: 'features-know-no-door',
      comment: 'a DTO, a controller or a gateway belongs to a door; features have plain input',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:api/|platform/|app[.]|main[.])' },
      to: { path: '[.](?:dto|controller|gateway)[.]ts$' },
    },
    {
      name: 'doors-know-no-other-door',
      comment: 'what two audiences share stands in src/api itself',
      severity: 'error',
      from: { path: '^src/api/([^/]+)/' },
      to: { path: '^src/api/[^/]+/', pathNot: '^src/api/$1/' },
    },
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
