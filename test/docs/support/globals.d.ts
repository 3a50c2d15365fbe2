// What samples that continue others take from them, and packages that aren't installed here.
declare const bot: import('parley-bot').Bot;
declare const createBot: typeof import('parley-bot').createBot;
declare const client: import('parley-visitor').VisitorClient;
declare const url: string;
declare const token: string;
declare const show: (message: unknown) => void;
declare const jwt: string;
declare const useEffect: any;
declare const input: any, bar: any;
/** What Socket.IO adds to the error of `connect_error`. */
interface Error {
  data?: any;
}
declare var Parley: any;
/** What pages have of tools for analytics, and how a page calls one. */
declare var gtag: any, dataLayer: any, _paq: any, plausible: any;
declare const report: (fact: string, data: any) => void;
declare const Deno: any;
declare const Bun: any;
declare module 'ai';
declare module '@ai-sdk/openai';
declare module '@vercel/functions';
declare module '@mastra/core/agent';
declare module '@mastra/core/tools';
declare module '@openai/agents';
declare module 'langchain';
declare module '@langchain/openai';
declare module 'unpdf';
declare module 'zod';
declare module '*/agui-server.mjs';
