import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0032. Question indexing is deferred under write load","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0032-defer-question-indexing-under-load.md","filePath":"docs/adr/0032-defer-question-indexing-under-load.md"}');
const _sfc_main = { name: "docs/adr/0032-defer-question-indexing-under-load.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0032-question-indexing-is-deferred-under-write-load" tabindex="-1">0032. Question indexing is deferred under write load <a class="header-anchor" href="#_0032-question-indexing-is-deferred-under-write-load" aria-label="Permalink to &quot;0032. Question indexing is deferred under write load&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The question index costs Postgres 10 to 15 µs per question, as much as appending an event in a batch of 100. Clients wait for appends, not for the index: a reader moves the index forward itself and scans the last 2,000 events. On a busy machine the index took a fifth of the capacity.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>While the log grows by more than 5,000 events per second, the worker adds nothing to the question index, up to a backlog of 250,000 events, until the burst is over. Below that rate the index stays at the head of the log (0020).</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The work is deferred, not saved. The first question during or after a burst indexes the backlog: at most 250,000 events, about two seconds.</p><h2 id="alternatives-considered" tabindex="-1">Alternatives considered <a class="header-anchor" href="#alternatives-considered" aria-label="Permalink to &quot;Alternatives considered&quot;">​</a></h2><p>Fewer indexes: one per scope is what keeps an exact match at constant cost. No limit on the backlog: the first question after an import of millions of events would have waited for minutes.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0032-defer-question-indexing-under-load.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0032DeferQuestionIndexingUnderLoad = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0032DeferQuestionIndexingUnderLoad as default
};
