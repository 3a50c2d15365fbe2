import { type Command, InvalidArgumentError } from 'commander';

/** The options that every `dev` command has. */
export function addDevOptions(command: Command): Command {
  return command
    .argument('[command...]', 'starts your bot, with PARLEY_URL and PARLEY_TOKEN set; after --')
    .description('try a bot: chat as its visitor, see all traffic, and check that each message is answered once')
    .option('--chaos', 'repeat and delay events, answer 500, kill connections')
    .option('--seed <number>', "repeat an earlier run's chaos", wholeNumber)
    .option('--messages <number>', 'send this many messages, and exit', wholeNumber)
    .option('--script <file>', 'send the messages of a YAML file, and compare the answers with it')
    .option('--chats <number>', 'spread the messages over this many visitors', wholeNumber, 1)
    .option('--burst <number>', 'send this many together, without waiting for answers', wholeNumber, 1)
    .option('--answers <number>', 'how many messages each answer of the bot has', wholeNumber, 1)
    .option('--timeout <seconds>', 'how long an answer may take', wholeNumber, 60)
    .option('--port <port>', 'the port that the bot connects to; default: any free port', wholeNumber);
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 on.');
  return Number(text);
}
