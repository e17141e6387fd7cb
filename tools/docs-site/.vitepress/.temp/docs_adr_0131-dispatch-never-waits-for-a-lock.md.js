import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0131. Dispatch never waits for a lock that others hold","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0131-dispatch-never-waits-for-a-lock.md","filePath":"docs/adr/0131-dispatch-never-waits-for-a-lock.md"}');
const _sfc_main = { name: "docs/adr/0131-dispatch-never-waits-for-a-lock.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0131-dispatch-never-waits-for-a-lock-that-others-hold" tabindex="-1">0131. Dispatch never waits for a lock that others hold <a class="header-anchor" href="#_0131-dispatch-never-waits-for-a-lock-that-others-hold" aria-label="Permalink to &quot;0131. Dispatch never waits for a lock that others hold&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The dispatcher turns a page of the log into due rows in one transaction with its cursor (0003). It locked the session of every event, so one open erasure of one memory stopped all memories. A worker that froze inside the transaction kept the cursor for 30 seconds. Retries that are due by the clock waited for the same loop.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>note_progress</code> locks sessions and states with <code>skip locked</code>. What is locked goes to <code>deferred_progress</code> in the same transaction, so the cursor can pass it; later progress of the same session follows it there, which keeps the order. Every run begins with what was put off.</li><li>The transaction may idle for 2 seconds and wait for the cursor for 3. Then the server ends it, and another worker goes on.</li><li>Dispatching, admitting extractions and admitting deliveries are separate loops. Readiness is their progress.</li><li>A page that fails for a reason of its data is made smaller until one event is left. After three runs that event is parked and the cursor passes it.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A session that stays locked is looked at once per run, 500 at a time. Sessions may become due in another order than the log&#39;s; within a session the order holds.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0131-dispatch-never-waits-for-a-lock.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0131DispatchNeverWaitsForALock = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0131DispatchNeverWaitsForALock as default
};
