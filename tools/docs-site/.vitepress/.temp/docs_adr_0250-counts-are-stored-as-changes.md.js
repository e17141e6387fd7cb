import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0250. Counts are stored: transactions insert changes, readers fold them","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0250-counts-are-stored-as-changes.md","filePath":"docs/adr/0250-counts-are-stored-as-changes.md"}');
const _sfc_main = { name: "docs/adr/0250-counts-are-stored-as-changes.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0250-counts-are-stored-transactions-insert-changes-readers-fold-them" tabindex="-1">0250. Counts are stored: transactions insert changes, readers fold them <a class="header-anchor" href="#_0250-counts-are-stored-transactions-insert-changes-readers-fold-them" aria-label="Permalink to &quot;0250. Counts are stored: transactions insert changes, readers fold them&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p><code>GET …/usage</code>, a session&#39;s details, the totals of lists and the progress of extraction counted rows on every call. Their cost grew with the log, and one tenant could keep the database busy with them. A counter row that every transaction updates would be worse: the append would wait under the head of the log for a row that an erasure holds. A counter that follows the log with a cursor lags, and clients expect to see what was acknowledged.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>A transaction that changes what is counted inserts a row into <code>usage_changes</code> or <code>total_changes</code>, by triggers of the tables. It updates no counter and waits for none, and its changes become visible with it.</li><li><code>fold_usage</code> and <code>fold_totals</code> add changes to the counters. A reader folds its own memory first, so counts include everything committed before. The worker folds the rest every second.</li><li>All changes of a session are folded in one statement, together with the session&#39;s state: a session without counters is counted from its events in the same snapshot, and a closed session loses its counters. This also fills the counters after an upgrade.</li><li>Expired events are counted until the purge deletes them; readers subtract them by the index of expiries.</li><li>Totals of extraction (records made, calls, tokens) are not lowered when sessions are deleted.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Each append inserts one more narrow row per session of its batch. A read of counts writes if something changed since the last one. Totals of listings filtered by time are still counted. A rebuild needs nothing: triggers follow the rows that it replaces.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0250-counts-are-stored-as-changes.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0250CountsAreStoredAsChanges = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0250CountsAreStoredAsChanges as default
};
