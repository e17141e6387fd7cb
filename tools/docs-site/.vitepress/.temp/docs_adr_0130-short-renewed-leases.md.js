import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0130. Leases are short, renewed, and count when they are taken","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0130-short-renewed-leases.md","filePath":"docs/adr/0130-short-renewed-leases.md"}');
const _sfc_main = { name: "docs/adr/0130-short-renewed-leases.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0130-leases-are-short-renewed-and-count-when-they-are-taken" tabindex="-1">0130. Leases are short, renewed, and count when they are taken <a class="header-anchor" href="#_0130-leases-are-short-renewed-and-count-when-they-are-taken" aria-label="Permalink to &quot;0130. Leases are short, renewed, and count when they are taken&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A worker that takes a session or a delivery leases its row, so that no other worker does the same work. The lease had to outlast the slowest attempt: 120 seconds for an extraction, 30 for a webhook. The work of a killed worker stood still for that long and counted against its tenant&#39;s concurrency meanwhile. Only attempts that ended were counted, so a window that took its worker down with it was tried without end.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>A lease lasts 5 seconds. The process renews all leases that it holds in one statement, three times per lease, for as long as the work runs. Work whose lease is lost is aborted.</li><li>A claim counts as an attempt when it is made. The attempt is taken back when a shutdown gives the window back, when the tenant has no tokens left, or when the model cannot be reached.</li><li><code>settleLost</code> takes expired leases back before anything is admitted. The pause before the next attempt is random and grows with the attempts: a window that takes its process down is soon claimed apart from the windows that only happened to run beside it. After <code>EXTRACTION_MAX_ATTEMPTS</code> (deliveries: 10 lost workers in a row) it is parked.</li><li>An expired lease keeps other workers away until it is settled, so the count and the limit cannot be passed by.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A worker that cannot reach the database for 5 seconds loses its leases and repeats the work; answers of a model are stored before they are read, so nothing is paid for twice. Each working process sends one small statement every 1.7 seconds while it holds leases. Windows that share a process with a poisonous one lose an attempt with it.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0130-short-renewed-leases.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0130ShortRenewedLeases = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0130ShortRenewedLeases as default
};
