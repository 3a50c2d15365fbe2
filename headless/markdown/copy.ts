/**
 * Makes listeners of `click` that copy a text, and then say so on their button. A page without https has no clipboard: there
 * the text before the button is selected.
 */
export const copyWith =
  (copied: string) =>
  (text: string) =>
  async ({ currentTarget }: Event): Promise<void> => {
    const button = currentTarget as HTMLElement;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = copied;
    } catch {
      getSelection()?.selectAllChildren(button.previousElementSibling!);
    }
  };
