import { PUBLIC_ROUTES } from '../../support/public-routes.js';

type PublicRoute = (typeof PUBLIC_ROUTES)[number];

/** A path of each public route. Without one of them, the list doesn't compile. */
const PATHS: Record<PublicRoute, string> = {
  'GET /health/live': '/health/live',
  'GET /health/ready': '/health/ready',
  'GET /metrics': '/metrics',
  'GET /demo': '/demo',
  'GET /demo/session': '/demo/session',
  'POST /demo/sign-in-link': '/demo/sign-in-link',
  'GET /demo/:name': '/demo/style.css',
  'GET /test-chat': '/test-chat?key=prl_wk_a',
  'GET /continue': '/continue',
  'GET /continue/:name': '/continue/page.js',
  'GET /llms.txt': '/llms.txt',
  'GET /widget.js': '/widget.js',
  'GET /widget/:name': '/widget/panel.aaaaaaaa.js',
  'GET /sdk/:name': '/sdk/parley-bot.tgz',
  'GET /api/admin/docs': '/api/admin/docs',
  'GET /api/agent/docs': '/api/agent/docs',
  'GET /api/bot/docs': '/api/bot/docs',
  'GET /api/visitor/docs': '/api/visitor/docs',
  'GET /console': '/console',
  'GET /console/app/:name': '/console/app/worker.js',
  'GET /console/assets/:name': '/console/assets/a.js',
  'GET /console/:view': '/console/chats',
  'GET /console/:view/:id': '/console/chats/a',
  'GET /console/:view/:id/:chatId': '/console/chats/a/b',
  'GET /files/:id/:name': '/files/upl_a/a.txt?expires=1&signature=a',
  'PUT /uploads/:id': '/uploads/upl_a?expires=1&signature=a',
  'GET /api/mail/unsubscribe/:token': '/api/mail/unsubscribe/abcdefghijklmnopqrstuvwxyz',
  'POST /api/mail/unsubscribe/:token': '/api/mail/unsubscribe/abcdefghijklmnopqrstuvwxyz',
  'POST /api/visitor/link': '/api/visitor/link',
  'POST /api/visitor/link/continue': '/api/visitor/link/continue',
  'POST /api/visitor/link/not-me': '/api/visitor/link/not-me',
  'POST /api/agent/password-reset': '/api/agent/password-reset',
  'POST /api/agent/session': '/api/agent/session',
  'POST /api/agent/session/link': '/api/agent/session/link',
  'POST /api/agent/session/link/agent': '/api/agent/session/link/agent',
  'POST /api/visitor/sessions': '/api/visitor/sessions',
  'GET /api/visitor/widget': '/api/visitor/widget?key=prl_wk_a',
  'GET /api/visitor/widget/pictures/:name': '/api/visitor/widget/pictures/a',
};

const write = (method: string, path: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\n${headers}${method === 'POST' || method === 'PUT' ? 'Content-Length: 0\r\n' : ''}\r\n`;

/** What strangers can ask: each public route, pages, what doesn't exist or isn't allowed, and what Node answers itself. */
export const PUBLIC_REQUESTS: [name: string, text: string][] = [
  ...PUBLIC_ROUTES.map((route): [string, string] => [route, write(route.split(' ')[0]!, PATHS[route])]),
  ['a page of /docs', write('GET', '/docs/contract')],
  ['no page of /docs', write('GET', '/docs/none')],
  ['404', write('GET', '/none')],
  ['404 of an API', write('GET', '/api/bot/none')],
  ['401', write('GET', '/api/bot/me')],
  ['415', write('POST', '/api/visitor/sessions', 'Content-Type: text/xml\r\n')],
  ['HEAD', write('HEAD', '/api/admin/docs')],
  ['a preflight', write('OPTIONS', '/api/visitor/chats')],
  ['a handshake of Socket.IO', write('GET', '/socket.io/?EIO=4&transport=polling')],
  ['an unknown poll', write('GET', '/socket.io/?EIO=4&transport=polling&sid=none')],
  ['an upgrade', write('GET', '/socket.io/?EIO=4', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')],
  ['many headers', write('GET', '/none', 'a:\r\n'.repeat(2_000))],
  ['an expectation', write('GET', '/none', 'Expect: cake\r\n')],
  ['no Host', 'GET /none HTTP/1.1\r\n\r\n'],
  ['no HTTP', 'nonsense\r\n\r\n'],
];
