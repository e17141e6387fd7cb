import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0211. The best hit decides the score","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0211-the-best-hit-decides-the-score.md","filePath":"docs/adr/0211-the-best-hit-decides-the-score.md"}');
const _sfc_main = { name: "docs/adr/0211-the-best-hit-decides-the-score.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0211-the-best-hit-decides-the-score" tabindex="-1">0211. The best hit decides the score <a class="header-anchor" href="#_0211-the-best-hit-decides-the-score" aria-label="Permalink to &quot;0211. The best hit decides the score&quot;">​</a></h1><ul><li>Status: accepted; replaces the calibration of 0170 and 0171</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Clients filter by <code>scoreThreshold: 0.5</code>. A question that has no answer should then get nothing, and right hits should stay. When each hit was scored by itself, 9 of 100 questions without an answer still had a hit where 70 of 100 right hits stayed. Other signals (rarity of the matched words, how many match nearby, distance to the tenth hit) changed this by less than two points on conversations that nothing was set on.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The sum of the best hit, times the root of the number of known words, decides whether there is an answer. A hit behind the best loses little: its share of the best sum, to the power of 0.1 for turns and 0.3 for records. Where likeness of meaning is part of the sums, 0.5 needs a sum that is 1.2 times as large.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Where 70 of 100 right turns stay, 5 of 100 questions without an answer get a hit on the conversations that the constants were set on, and 10 on others (<code>docs/quality.md</code>). A score says less about a single hit than before: where the best hit is sure, most of the first ten turns are above 0.5. A client that wants fewer hits lowers <code>limit</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0211-the-best-hit-decides-the-score.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0211TheBestHitDecidesTheScore = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0211TheBestHitDecidesTheScore as default
};
