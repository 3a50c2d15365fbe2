import { RunFailure } from '../model/turn.js';
import type { Progress } from './driver.js';
import { beforeMarker, type Marked, readMarker, withoutTeam, withoutThinking } from './spoken-text.js';

/** The most UTF-16 code units of a run's text. */
const MAX_TEXT = 50_000;

/** Collects the text of an answer as it arrives, and returns the part of it that visitors read. */
export class AnswerText {
  private text = '';

  /** @param hasMarker whether a marker on a line of its own hands the chat over */
  constructor(
    private readonly hasMarker: boolean,
    private readonly progress: Progress,
  ) {}

  /** @throws RunFailure too_large */
  add(part: string): void {
    this.replace(this.text + part);
  }

  /** @throws RunFailure too_large */
  replace(text: string): void {
    if (text.length > MAX_TEXT) throw new RunFailure('too_large', 'wrote more than 50,000 characters');
    this.text = text;
    this.progress.onText(this.shown);
  }

  /** What visitors read of the whole text, and whether it hands the chat over. */
  end(): Marked {
    const { text, isThinking } = withoutThinking(this.text);
    const said = isThinking ? '' : withoutTeam(text);
    return this.hasMarker ? readMarker(said) : { text: said, handOver: null };
  }

  /** What visitors read of it by now. */
  readonly shown = (): string => {
    const text = withoutTeam(withoutThinking(this.text).text);
    return this.hasMarker ? beforeMarker(text) : text;
  };
}
