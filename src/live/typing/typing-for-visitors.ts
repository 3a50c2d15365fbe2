import { Injectable } from '@nestjs/common';
import { LiveTexts } from './live-texts.js';
import { Timings } from '../feeds/timings.js';
import type { TypingEvent } from '../feeds/typing-event.js';
import { type TextSignal, TypingIndicators } from './typing-indicators.js';
import { VisitorFeed } from '../feeds/visitor-feed.js';

/** Who types, as visitors see it. */
@Injectable()
export class TypingForVisitors extends TypingIndicators {
  constructor(
    private readonly feed: VisitorFeed,
    timings: Timings,
    texts: LiveTexts,
  ) {
    super(feed, timings, texts);
  }

  protected sendText(event: TypingEvent, _signal: TextSignal, socketId?: string): void {
    this.feed.sendTyping(event, socketId);
  }
}
