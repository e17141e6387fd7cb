import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0005. Event ids are derived from the idempotency key","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0005-event-ids-are-the-idempotency-key.md","filePath":"docs/adr/0005-event-ids-are-the-idempotency-key.md"}');
const _sfc_main = { name: "docs/adr/0005-event-ids-are-the-idempotency-key.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0005-event-ids-are-derived-from-the-idempotency-key" tabindex="-1">0005. Event ids are derived from the idempotency key <a class="header-anchor" href="#_0005-event-ids-are-derived-from-the-idempotency-key" aria-label="Permalink to &quot;0005. Event ids are derived from the idempotency key&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Clients repeat requests when an answer is lost. JetStream deduplicates for two minutes and a queue until the job is removed; neither is long enough.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>With an <code>Idempotency-Key</code>, or the caller&#39;s own event id, event ids are derived by SHA-256 from tenant, memory, actor, session, key and index. The log&#39;s unique index on event ids finds the repeat. A fingerprint of the body, stored with the event, tells a repeat from a different request under the same key (422).</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>There is no second table, no time window and no gap between two writes: a key is remembered exactly as long as its event lives. Once an event is purged, its key is forgotten with it.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0005-event-ids-are-the-idempotency-key.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0005EventIdsAreTheIdempotencyKey = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0005EventIdsAreTheIdempotencyKey as default
};
