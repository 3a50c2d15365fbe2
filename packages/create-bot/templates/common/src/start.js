import { bot } from './bot.js';

await bot.run();
