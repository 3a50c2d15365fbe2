/**
 * Replaces a part of a field's text as if it were typed, so that undo works and the field's listeners learn of it.
 * @param select what is selected then, by its positions in the whole text; without it, the caret is behind the new words
 */
export function replaceIn(
  field: HTMLTextAreaElement,
  { from, to, words, select }: { from: number; to: number; words: string; select?: readonly [number, number] },
): void {
  field.focus();
  field.setSelectionRange(from, to);
  // The only way to change a field's text that its undo knows.
  if (!document.execCommand('insertText', false, words)) {
    field.setRangeText(words, from, to, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  if (select) field.setSelectionRange(...select);
}
