import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0135. Parked windows stand alone","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0135-parked-windows-stand-alone.md","filePath":"docs/adr/0135-parked-windows-stand-alone.md"}');
const _sfc_main = { name: "docs/adr/0135-parked-windows-stand-alone.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0135-parked-windows-stand-alone" tabindex="-1">0135. Parked windows stand alone <a class="header-anchor" href="#_0135-parked-windows-stand-alone" aria-label="Permalink to &quot;0135. Parked windows stand alone&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A window of a session whose tries were used up parked the session: nothing after it was read until an operator had replayed it, and a window that fails for good kept the rest of the session out of memory for good.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>A window that is given no more tries becomes a row of <code>parked_windows</code> with its range, code and cause, and the watermark moves behind it. Extracted ranges, and the ranges of that table, tile 1..watermark of a session and strategy.</li><li>A replay claims exactly that range. It waits until no other window of the session is in the middle of its tries, and then ends before another begins. What fits into one run no more is replayed in parts.</li><li>A dropped window keeps its row with <code>dropped_at</code>: it accounts for the range.</li><li>A replay reads a stored answer again, unless the operator says <code>askAgain</code>.</li><li>A window that takes its worker down in every try is set aside by the next claim, which only measures it. If that fails too, the whole session is parked, as it is while its strategy is switched off.</li><li>A read with <code>afterSequence</code> answers 409 only when that sequence lies in a parked window. Earlier windows are no reason to refuse: <code>GET …/extraction</code> lists them.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Records of a replayed window come after those of later ones. What was said when decides which of two facts holds, so the order of reading does not matter there; a rolling summary takes the window in where it is read. An outage of the model that outlasts all tries parks one window after another; one replay takes up all of them.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0135-parked-windows-stand-alone.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0135ParkedWindowsStandAlone = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0135ParkedWindowsStandAlone as default
};
