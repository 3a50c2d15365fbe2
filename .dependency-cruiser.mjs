// The rooms of `src`, from the ground up. A room imports only rooms on earlier lines, so imports point down and can't form a
// circle. `npm run check:imports` enforces it, and scripts/draw-rooms.mjs draws the picture in docs/inside/architecture.md from the code.
export const ROOMS = [
  ['platform'],
  ['organizations'],
  ['groups'],
  ['agents', 'bots', 'visitors'],
  ['auth'],
  ['receivers', 'idempotency', 'changes'],
  ['chats'],
  ['files', 'tags', 'attributes'],
  ['messages', 'pictures'],
  ['visitor-chats'],
  ['handoff'],
  ['bot-silence', 'inbox'],
  ['live', 'search'],
  ['webhooks', 'pull', 'privacy', 'mail', 'push'],
  ['bot-connections'],
  ['api'],
  ['cli'],
];

/** The rooms inside a room, from the ground up, by the same rule. The files beside them wire them together and are above all. */
export const INNER_ROOMS = {
  platform: [
    ['errors'],
    ['lib'],
    ['locale'],
    ['validation'],
    ['config'],
    ['telemetry'],
    ['database'],
    ['outbound', 'cluster', 'http'],
  ],
  'platform/http': [['server'], ['responses'], ['requests']],
  auth: [['context'], ['limits', 'audit'], ['operators'], ['bots', 'visitors', 'agents'], ['sign-in']],
  chats: [['model'], ['reading'], ['moves']],
  files: [['inspect'], ['stores'], ['scan']],
  search: [['tokens'], ['query'], ['index'], ['reading']],
  inbox: [['views'], ['notes', 'reports']],
  'bot-connections': [
    ['model'],
    ['wire'],
    ['drivers'],
    ['questions', 'scripts'],
    ['connections'],
    ['turns'],
    ['endings'],
    ['engine', 'forgetting'],
  ],
  mail: [['model'], ['reading'], ['letters'], ['kinds'], ['oauth'], ['sending'], ['receiving']],
  messages: [['offers']],
  live: [['feeds'], ['connections'], ['agent-state'], ['typing'], ['agents', 'visitors']],
};

/** The files of some rooms below a folder. */
const folder = (names, base) => `^${base}/(?:${names.join('|')})/`;

/** The name of a room in the name of a rule. */
const nameOf = (path) => path.replace(/^src\//, '');

/** Forbids imports of rooms above, and of rooms on the same line. */
function upwardRules(levels, base) {
  const above = (level) => levels.slice(level + 1).flat();
  const rules = levels.flatMap((rooms, level) =>
    rooms.map((room) => ({
      name: `${nameOf(`${base}/${room}`)}-imports-downward`,
      comment: `${room} is below these: let them call it, or emit a domain event`,
      severity: 'error',
      from: { path: folder([room], base) },
      to: { path: folder([...above(level), ...rooms.filter((other) => other !== room)], base) },
    })),
  );
  return rules.filter(({ to }) => to.path !== folder([], base));
}

/** The rules of a folder of rooms: imports point down, every room is in the list, and none imports the files beside the rooms. */
const roomRules = (levels, base, list) => [
  ...upwardRules(levels, base),
  {
    name: `every-room-of-${nameOf(base)}-is-in-${list}`,
    comment: `every folder of ${base} has its place in ${list}`,
    severity: 'error',
    from: { path: `^${base}/[^/]+/`, pathNot: folder(levels.flat(), base) },
    to: {},
  },
  {
    name: `no-room-of-${nameOf(base)}-imports-the-files-beside-it`,
    comment: `the files directly in ${base} put its rooms together`,
    severity: 'error',
    from: { path: `^${base}/[^/]+/` },
    to: { path: `^${base}/[^/]+[.]ts$` },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...roomRules(ROOMS, 'src', 'ROOMS'),
    ...Object.entries(INNER_ROOMS).flatMap(([room, levels]) => roomRules(levels, `src/${room}`, 'INNER_ROOMS')),
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
