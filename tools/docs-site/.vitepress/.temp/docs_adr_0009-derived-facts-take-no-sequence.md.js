import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0009. Derived events take no session sequence","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0009-derived-facts-take-no-sequence.md","filePath":"docs/adr/0009-derived-facts-take-no-sequence.md"}');
const _sfc_main = { name: "docs/adr/0009-derived-facts-take-no-sequence.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0009-derived-events-take-no-session-sequence" tabindex="-1">0009. Derived events take no session sequence <a class="header-anchor" href="#_0009-derived-events-take-no-session-sequence" aria-label="Permalink to &quot;0009. Derived events take no session sequence&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A client that appends with an expected sequence must not be refused because the worker wrote something in between.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Events that clients cause (messages, an agent&#39;s start and stop) are numbered 1..n in their session. Events that the worker derives (<code>records.extracted</code>) belong to the session for tenancy and erasure, but take no sequence.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Extracted ranges tile 1..watermark without counting themselves. Derived events are ordered by position only.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0009-derived-facts-take-no-sequence.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0009DerivedFactsTakeNoSequence = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0009DerivedFactsTakeNoSequence as default
};
