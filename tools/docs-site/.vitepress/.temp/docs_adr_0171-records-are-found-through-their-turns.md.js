import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0171. Records are found by their own words and through the turns that they rest on","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0171-records-are-found-through-their-turns.md","filePath":"docs/adr/0171-records-are-found-through-their-turns.md"}');
const _sfc_main = { name: "docs/adr/0171-records-are-found-through-their-turns.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0171-records-are-found-by-their-own-words-and-through-the-turns-that-they-rest-on" tabindex="-1">0171. Records are found by their own words and through the turns that they rest on <a class="header-anchor" href="#_0171-records-are-found-by-their-own-words-and-through-the-turns-that-they-rest-on" aria-label="Permalink to &quot;0171. Records are found by their own words and through the turns that they rest on&quot;">​</a></h1><ul><li>Status: accepted; replaces the scoring of 0008</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A record is one sentence; a question seldom uses its words (recall@10 54.7). The turns that it quotes say more, and so do their neighbours. The former search read its whole namespace for every query: the GIN index could not be used, because row-level security keeps an operator that is not leakproof from index conditions.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>A search of records ranks the turns of the actor whom the namespace is about (0170) and gives each record the best sum of the turns that it cites, plus 0.7 times its own words. Records that rest on a turn which is already represented count 0.7 times as much, so that the next turn comes before the next wording of the same one.</li><li>Own words are hashes that include memory and namespace, in a generated column with a GIN index. Whatever writes records keeps it; nothing is maintained beside the statement. The function that reads it runs as the owner and checks the tenant.</li><li>Words that nearly every record of the namespace holds, the speakers&#39; names, &quot;user&quot; and &quot;assistant&quot; carry no weight unless the query has no other word.</li><li>Roots that Snowball leaves apart (shipment, shipping) match, at 0.8 of the weight.</li><li>The score is calibrated (0211). One word is at most 0.8.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Recall@10 of records rises from 54.7 to 68.4 on the development conversations. A search of records costs a search of turns besides. Records that were filed by hand have no turns; half of the query&#39;s words put them above 0.5, as AgentBase&#39;s users expect of its sample.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0171-records-are-found-through-their-turns.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0171RecordsAreFoundThroughTheirTurns = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0171RecordsAreFoundThroughTheirTurns as default
};
