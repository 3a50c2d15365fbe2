import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { NotesService } from '../../inbox/notes/notes.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { AgentApi } from './agent-api.decorator.js';
import { NewNoteDto, NoteChangeDto, NoteResponse, NotesResponse } from './notes.dto.js';

/** Notes about a chat, for agents only (CONTRACT: Agent API). */
@AgentApi('/chats/:chatId/notes', 'Notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listNotes',
    summary: 'List the notes of a chat',
    description: 'Oldest first.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: NotesResponse })
  @ApiProblems('validation_failed', 'not_found')
  async list(
    @CurrentAgent() agent: AgentIdentity,
    @Id('chatId') chatId: string,
    @Query() query: PageQuery,
  ): Promise<NotesResponse> {
    const { items, nextCursor } = await this.notes.list(agent, chatId, query);
    return { notes: items, nextCursor };
  }

  @Post()
  @ApiOperation({
    operationId: 'addNote',
    summary: 'Add a note to a chat',
    description: 'Only agents see notes.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiCreatedResponse({ type: NoteResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'not_found', 'unsupported_media_type')
  add(
    @CurrentAgent() agent: AgentIdentity,
    @Id('chatId') chatId: string,
    @Body() body: NewNoteDto,
  ): Promise<NoteResponse> {
    return this.notes.add(agent, chatId, body);
  }

  @Patch(':noteId')
  @ApiOperation({
    operationId: 'editNote',
    summary: 'Change a note',
    description:
      'Only its author can. Without `content`, `mentions`, or `files`, these stay. Files that are left out are removed.',
  })
  @ApiParam({ name: 'noteId' })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: NoteResponse })
  @ApiProblems(
    'validation_failed',
    'malformed_json',
    'body_too_large',
    'forbidden',
    'not_found',
    'unsupported_media_type',
  )
  edit(
    @CurrentAgent() agent: AgentIdentity,
    @Id('chatId') chatId: string,
    @Id('noteId') noteId: string,
    @Body() body: NoteChangeDto,
  ): Promise<NoteResponse> {
    return this.notes.edit(agent, chatId, noteId, body);
  }

  @Delete(':noteId')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteNote',
    summary: 'Delete a note',
    description: 'Only its author can.',
  })
  @ApiParam({ name: 'noteId' })
  @ApiParam({ name: 'chatId' })
  @ApiNoContentResponse()
  @ApiProblems('forbidden', 'not_found')
  delete(
    @CurrentAgent() agent: AgentIdentity,
    @Id('chatId') chatId: string,
    @Id('noteId') noteId: string,
  ): Promise<void> {
    return this.notes.delete(agent, chatId, noteId);
  }
}
