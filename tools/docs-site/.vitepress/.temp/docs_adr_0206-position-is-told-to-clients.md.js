import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0206. Clients see the position in the log","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0206-position-is-told-to-clients.md","filePath":"docs/adr/0206-position-is-told-to-clients.md"}');
const _sfc_main = { name: "docs/adr/0206-position-is-told-to-clients.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0206-clients-see-the-position-in-the-log" tabindex="-1">0206. Clients see the position in the log <a class="header-anchor" href="#_0206-clients-see-the-position-in-the-log" aria-label="Permalink to &quot;0206. Clients see the position in the log&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Every stored event answers with <code>position</code>, its place in the log of the whole installation. A tenant that appends twice can subtract the two and learns how many events all tenants appended in between. It learns no content, no identity and no timing beyond that.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>position</code> stays. Clients need one order over all sessions of a memory to resume a subscription, to compare an export with a log, and to report a problem; operators find an event by it. An installation is one organisation&#39;s, and its tenants are its own products or customers, so the volume of the whole is not a secret in most of them. Where it is one, run an installation for each such customer.</p><h2 id="alternatives" tabindex="-1">Alternatives <a class="header-anchor" href="#alternatives" aria-label="Permalink to &quot;Alternatives&quot;">​</a></h2><ul><li>A position per tenant: a second dense counter in the append, under the same lock, for every tenant of a batch.</li><li>An encrypted position: hides the distance and keeps equality, but loses the order that clients need.</li><li>Dropping it: breaks subscribers that resume by it.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The threat model names the leak. Event ids, sequences and record ids tell nothing about other tenants.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0206-position-is-told-to-clients.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0206PositionIsToldToClients = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0206PositionIsToldToClients as default
};
