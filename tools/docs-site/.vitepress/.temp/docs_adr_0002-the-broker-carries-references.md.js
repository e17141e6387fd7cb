import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0002. JetStream carries references, not content","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0002-the-broker-carries-references.md","filePath":"docs/adr/0002-the-broker-carries-references.md"}');
const _sfc_main = { name: "docs/adr/0002-the-broker-carries-references.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0002-jetstream-carries-references-not-content" tabindex="-1">0002. JetStream carries references, not content <a class="header-anchor" href="#_0002-jetstream-carries-references-not-content" aria-label="Permalink to &quot;0002. JetStream carries references, not content&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A broker cannot delete one person&#39;s data from a message that also holds other people&#39;s, and publishing one message per event costs more than the append itself.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The relay publishes one message per memory and page of the log, with the positions, ids, types and sequences of the events. Subjects are <code>tk.&lt;tenant&gt;.&lt;memory&gt;.events</code>. A message holds no content, no actor and no session name.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>There is nothing to erase in the stream, and a message for five hundred events stays small. A subscriber that needs the text asks the API, which applies expiry, erasure and tenancy at that moment: one more request. Subscribers can filter by tenant and memory, not by actor.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0002-the-broker-carries-references.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0002TheBrokerCarriesReferences = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0002TheBrokerCarriesReferences as default
};
