import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"0315: The documentation is a static site made from the repository's pages","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0315-the-docs-are-a-static-site.md","filePath":"docs/adr/0315-the-docs-are-a-static-site.md"}`);
const _sfc_main = { name: "docs/adr/0315-the-docs-are-a-static-site.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0315-the-documentation-is-a-static-site-made-from-the-repository-s-pages" tabindex="-1">0315: The documentation is a static site made from the repository&#39;s pages <a class="header-anchor" href="#_0315-the-documentation-is-a-static-site-made-from-the-repository-s-pages" aria-label="Permalink to &quot;0315: The documentation is a static site made from the repository&#39;s pages&quot;">​</a></h1><p>Status: accepted, 2026-11-22</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Pages live beside the code and are read in an editor, on a code host and, by users, on a site with search. Two copies would drift.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>npm run docs-site</code> builds README, <code>docs/</code>, the decisions and the bench page with VitePress 1.6 into <code>dist/docs-site</code>. Files stay where they are: the menu in <code>tools/docs-site/pages.mjs</code> groups them (tutorials, how-to, operate, reference, explanation, decisions), and a markdown-it rule turns relative links between files into addresses. The reference pages (API, settings, events, errors, metrics) are generated from code.</p><p>VitePress and what it needs (100 MB) are packages of <code>tools/docs-site</code>, installed by <code>npm test</code> and <code>npm run docs-site</code>, not by <code>npm start</code>. Starlight needs a content folder of its own with front matter in each page. VitePress 1.6 is the maintained line; it uses Vite 5 only to build.</p><p><code>npm test</code> builds the site: a dead link, a page outside the menu, a script or a route that does not exist fails it.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A new page in <code>docs/</code> needs a place in the menu, unless its folder has one.</li><li>A link to a file that is no page (<code>.env.example</code>, <code>values.yaml</code>) is plain text on the site.</li><li>Text that Vue would read as a component (<code>&lt;name&gt;</code>) has to be in code spans.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0315-the-docs-are-a-static-site.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0315TheDocsAreAStaticSite = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0315TheDocsAreAStaticSite as default
};
