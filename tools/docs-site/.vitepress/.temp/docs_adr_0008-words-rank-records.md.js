import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0008. Records are ranked by weighted words","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0008-words-rank-records.md","filePath":"docs/adr/0008-words-rank-records.md"}');
const _sfc_main = { name: "docs/adr/0008-words-rank-records.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0008-records-are-ranked-by-weighted-words" tabindex="-1">0008. Records are ranked by weighted words <a class="header-anchor" href="#_0008-records-are-ranked-by-weighted-words" aria-label="Permalink to &quot;0008. Records are ranked by weighted words&quot;">​</a></h1><ul><li>Status: superseded by <a href="/docs/adr/0171-records-are-found-through-their-turns">0171</a></li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Search must work on a fresh machine, without a model or a Postgres extension. Measured on long conversations, requiring all words of a query finds a tenth of what requiring any of them finds, and normalising by length harms short texts.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>A search reduces the query to stems (Postgres <code>english</code>) and ranks a namespace&#39;s records by the share of the query&#39;s words that they contain, each word weighted by its rarity in the namespace. The score lies between 0 and 1; 1 means that every word was found. A word that no record contains weighs as much as the rarest one that is found, so that in a small namespace it does not outweigh every match.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>One SQL statement does the ranking. A record that says the same thing in other words is not found; vectors can add that when an embedding endpoint is configured.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0008-words-rank-records.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0008WordsRankRecords = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0008WordsRankRecords as default
};
