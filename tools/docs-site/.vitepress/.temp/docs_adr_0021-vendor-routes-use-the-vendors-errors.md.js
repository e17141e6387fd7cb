import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"0021. Vendor routes use the vendor's envelopes and errors; there is no default actor","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0021-vendor-routes-use-the-vendors-errors.md","filePath":"docs/adr/0021-vendor-routes-use-the-vendors-errors.md"}`);
const _sfc_main = { name: "docs/adr/0021-vendor-routes-use-the-vendors-errors.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0021-vendor-routes-use-the-vendor-s-envelopes-and-errors-there-is-no-default-actor" tabindex="-1">0021. Vendor routes use the vendor&#39;s envelopes and errors; there is no default actor <a class="header-anchor" href="#_0021-vendor-routes-use-the-vendor-s-envelopes-and-errors-there-is-no-default-actor" aria-label="Permalink to &quot;0021. Vendor routes use the vendor&#39;s envelopes and errors; there is no default actor&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A team should be able to try Turnkeeper by changing a host. What their clients do with errors is written against the vendor&#39;s codes. A conversation filed under a default actor mixes people&#39;s memories where it goes unnoticed.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Agora&#39;s and ZEGOCLOUD&#39;s agent APIs are served under their own paths, with their bodies, envelopes and codes, over the same use cases as <code>/v1/agents</code>. A dialect (URL prefixes and error mapping) turns every refusal on them, including those of the HTTP layer, into the vendor&#39;s envelope. Agora&#39;s labels bind an agent to memory, actor and session. The memory may come from the registered app instead; the actor may not be defaulted, and a start without one is refused.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The same errors exist in two spellings, and some differences can only be documented: we do not know who is in the channel, so idle time counts from the last event.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0021-vendor-routes-use-the-vendors-errors.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0021VendorRoutesUseTheVendorsErrors = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0021VendorRoutesUseTheVendorsErrors as default
};
