import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0260. Requests in flight and failed keys are counted per process","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0260-requests-in-flight-count-per-process.md","filePath":"docs/adr/0260-requests-in-flight-count-per-process.md"}');
const _sfc_main = { name: "docs/adr/0260-requests-in-flight-count-per-process.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0260-requests-in-flight-and-failed-keys-are-counted-per-process" tabindex="-1">0260. Requests in flight and failed keys are counted per process <a class="header-anchor" href="#_0260-requests-in-flight-and-failed-keys-are-counted-per-process" aria-label="Permalink to &quot;0260. Requests in flight and failed keys are counted per process&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Rates are leased from Postgres (0200) and limits in number are checked where the row is added, so both are exact over all processes. <code>TENANT_MAX_REQUESTS_IN_FLIGHT</code>, <code>TENANT_MAX_BODY_BYTES_IN_FLIGHT</code> and <code>AUTH_FAILURES_PER_MINUTE</code> are counted by each ingest process. With N processes a tenant can have N times as much, and an address can try N times as many keys.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>They stay per process.</p><ul><li>They protect what a process has for itself: its memory, its event loop, its connections to Postgres. A process that is full must refuse whatever the others hold, and one with room must not refuse because another one is full.</li><li>A count that rises and falls with every request cannot be leased in slices like a rate: a process that dies takes what it holds with it, and to know how much that was, every request would have to write.</li><li>Guessing keys is hopeless at any rate: a secret has 256 bits. The limit of failed keys saves look-ups, and each process pays for its own. With N processes it reads N × <code>AUTH_FAILURES_PER_MINUTE</code> for each address.</li><li><code>GET /v1/limits</code> says <code>perProcess: true</code> for requests in flight, and counts those of the process that answers. The limit of the installation is that number times the ingest processes; size it by what one process can bear.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>An installation that scales out takes more requests at once from each tenant, as it has more room. The bound over all processes is the rate of requests and bytes: those are shared.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0260-requests-in-flight-count-per-process.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0260RequestsInFlightCountPerProcess = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0260RequestsInFlightCountPerProcess as default
};
