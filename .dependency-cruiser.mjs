// The rooms of `src`, from the ground up. A room imports those before its own line alone, so every import runs downward;
// `npm run check:imports` holds it, and scripts/draw-rooms.mjs draws the picture of docs/architecture.md from the code.
export const ROOMS = [
  ['platform'],
  ['organizations'],
  ['groups'],
  ['agents', 'bots', 'visitors'],
  ['auth'],
  ['outbox'],
  ['chats'],
  ['messages'],
  ['handoff'],
  ['inbox'],
  ['live'],
  ['webhooks', 'pull', 'privacy'],
  ['api'],
  ['cli'],
];

const folder = (names) => `^src/(?:${names.join('|')})/`;
const above = (level) => ROOMS.slice(level + 1).flat();

/** What a room may not import: those above it, and those beside it. */
const upward = ROOMS.flatMap((rooms, level) =>
  rooms.map((room) => ({
    name: `${room}-imports-downward`,
    comment: `${room} stands below these: let them call it, or announce a domain event`,
    severity: 'error',
    from: { path: folder([room]) },
    to: { path: folder([...above(level), ...rooms.filter((other) => other !== room)]) },
  })),
).filter(({ to }) => to.path !== folder([]));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...upward,
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
