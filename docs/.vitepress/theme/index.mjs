import { useData, withBase } from 'vitepress';
import Theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './style.css';

/** A link to the source of the page, for a reader who gives it to a language model. */
const MarkdownLink = {
  setup() {
    const { page } = useData();
    return () =>
      h(
        'a',
        { class: 'as-markdown', href: withBase(`/${page.value.relativePath}`), target: '_self' },
        'This page as Markdown',
      );
  },
};

export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'doc-footer-before': () => h(MarkdownLink) }),
};
