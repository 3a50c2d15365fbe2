import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { CreateAgentDto, UpdateAgentDto } from '../../src/api/admin/agents.dto.js';
import { CreateChatDto, UpdateChatDto } from '../../src/api/admin/chats.dto.js';
import { CreateOrganizationDto, UpdateOrganizationDto } from '../../src/api/admin/organizations.dto.js';
import { CreateWebhookDto, UpdateWebhookDto } from '../../src/api/admin/webhooks.dto.js';
import { UpdateWidgetDto } from '../../src/api/admin/widget.dto.js';
import { AgentMessageDto, AgentTransferDto, ReturnDto } from '../../src/api/agent/actions.dto.js';
import { NewNoteDto, NoteChangeDto } from '../../src/api/agent/notes.dto.js';
import { NewReplyDto } from '../../src/api/agent/replies.dto.js';
import { ChangePasswordDto, LinkSignInDto, PasswordSignInDto } from '../../src/api/agent/session.dto.js';
import { SendAgentMessageDto } from '../../src/api/agent/sockets.dto.js';
import { OpenBotChatRequest } from '../../src/api/bot/chats.dto.js';
import { SetStateRequest } from '../../src/api/bot/states.dto.js';
import { TransferDto } from '../../src/api/bot/transfer.dto.js';
import {
  ChangeChatRequest,
  ChangeTagsRequest,
  ChangeVisitorRequest,
  SetTagsRequest,
} from '../../src/api/chat-changes.dto.js';
import { SendMessageDto } from '../../src/api/messages.dto.js';
import { AgentSearchRequest } from '../../src/api/search.dto.js';
import { BotTypingDto } from '../../src/api/signals.dto.js';
import {
  CreateSessionDto,
  OpenChatDto,
  SendVisitorMessageDto,
  VisitorMessageDto,
  VisitorTypingDto,
} from '../../src/api/visitor/visitors.dto.js';
import { limitOfBody } from '../../src/platform/http/requests/route-limits.js';

const read = (page: string) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
const TABLE = readFileSync(new URL('../../docs/operate/security.md', import.meta.url), 'utf8');

/** The subject of each row of the table. */
const ROWS: [string, ...unknown[]][] = [
  ["a visitor's message", VisitorMessageDto],
  ['the message of a bot, of an agent', SendMessageDto, AgentMessageDto],
  ['`message:send` of a socket', SendVisitorMessageDto, SendAgentMessageDto],
  ["a visitor's session", CreateSessionDto],
  ['a new chat of a visitor, `chat:open`', OpenChatDto],
  ['an organization, with 100 origins', CreateOrganizationDto, UpdateOrganizationDto],
  ['an agent, with 100 groups', CreateAgentDto, UpdateAgentDto],
  ['the settings of a widget', UpdateWidgetDto],
  [
    'a note, a canned reply, `typing` with its text',
    NewNoteDto,
    NoteChangeDto,
    NewReplyDto,
    BotTypingDto,
    VisitorTypingDto,
  ],
  ['a transfer of a bot; of an agent, a return to the bot', TransferDto, AgentTransferDto, ReturnDto],
  ["a new chat of a bot; a bot's state of a chat", OpenBotChatRequest, SetStateRequest],
  ['a search of an agent', AgentSearchRequest],
  ['the tags of a chat', SetTagsRequest, ChangeTagsRequest],
  ['a webhook', CreateWebhookDto, UpdateWebhookDto],
  ['signing in, a new password', PasswordSignInDto, LinkSignInDto, ChangePasswordDto],
  ['a new chat of an administrator', CreateChatDto],
  ['the attributes of a chat or a visitor', ChangeChatRequest, UpdateChatDto, ChangeVisitorRequest],
];

describe('the table of body limits in docs/operate/security.md', () => {
  it.each(ROWS)('the table of body limits is right about %s', (row, ...classes) => {
    const limits = classes.map((type) => limitOfBody(type));
    const most = (of: 'bytes' | 'values') => Math.max(...limits.map((limit) => limit[of])).toLocaleString('en-US');
    const cells = TABLE.split('\n')
      .find((line) => line.startsWith(`| ${row} `))
      ?.split('|');
    expect(cells?.slice(2, 4).map((cell) => cell.trim())).toEqual([most('bytes'), most('values')]);
  });

  it.each([
    ['CHANGELOG.md', /a message ([\d,]+) bytes, signing in ([\d,]+)\b/],
    ['docs/contract.md', /A message has at most ([\d,]+) bytes .*? signing in ([\d,]+),/],
  ])('%s names the limits of a message and of signing in', (page, sentence) => {
    const [message, signIn] = [SendMessageDto, PasswordSignInDto].map((type) =>
      limitOfBody(type).bytes.toLocaleString('en-US'),
    );
    expect(sentence.exec(read(page))?.slice(1)).toEqual([message, signIn]);
  });
});
