import { posix } from 'node:path';
import { addressOf } from './pages.mjs';

const isRelative = (href) => !/^(?:[a-z][a-z+.-]*:|\/|#)/i.test(href);

/**
 * A markdown-it plugin: relative links between files of the repository become addresses of the site. A link to a file
 * that is no page (a setting file, a source) becomes its text: the site does not serve it.
 *
 * @param {ReadonlySet<string>} pages
 */
export const repositoryLinks = (pages) => (md) => {
  md.core.ruler.after('inline', 'repository-links', ({ tokens, env }) => {
    for (const { children } of tokens) rewriteLinks(children ?? [], env.path ?? '', pages);
  });
};

const rewriteLinks = (children, from, pages) => {
  let unlinked = false;
  for (const token of children) {
    if (token.type === 'link_open') {
      const href = token.attrGet('href') ?? '';
      if (!isRelative(href)) continue;
      const [path, anchor] = href.split('#');
      const page = posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(path)));
      if (pages.has(page)) token.attrSet('href', addressOf(page) + (anchor === undefined ? '' : `#${anchor}`));
      else if (!page.endsWith('.md')) {
        unlinked = true;
        token.type = 'text';
        token.content = '';
      }
    } else if (token.type === 'link_close' && unlinked) {
      unlinked = false;
      token.type = 'text';
      token.content = '';
    }
  }
};
