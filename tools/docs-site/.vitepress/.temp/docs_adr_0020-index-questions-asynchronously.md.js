import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0020. Questions are indexed behind the log, not by the append","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0020-index-questions-asynchronously.md","filePath":"docs/adr/0020-index-questions-asynchronously.md"}');
const _sfc_main = { name: "docs/adr/0020-index-questions-asynchronously.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0020-questions-are-indexed-behind-the-log-not-by-the-append" tabindex="-1">0020. Questions are indexed behind the log, not by the append <a class="header-anchor" href="#_0020-questions-are-indexed-behind-the-log-not-by-the-append" aria-label="Permalink to &quot;0020. Questions are indexed behind the log, not by the append&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>An exact match must be found in any of three scopes (session, actor, memory), newest or oldest first, without reading more as the log grows. One index over the events cannot do that: an event does not know its actor, and a popular question fills any index that is not keyed by the scope. Kept with the append, the keys cost too much. Postgres&#39; CPU per event, half of them questions, relative to no index:</p><table tabindex="0"><thead><tr><th>maintained with every append</th><th>one event per request</th><th>a hundred</th></tr></thead><tbody><tr><td>one expression index</td><td>× 1.13</td><td>× 1.35</td></tr><tr><td>two (session, memory), by expression</td><td>× 1.28</td><td>× 1.61</td></tr><tr><td>two, on a generated column</td><td>× 1.22</td><td>× 1.48</td></tr><tr><td>this table, by a statement trigger</td><td>× 1.53</td><td>× 1.72</td></tr></tbody></table><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Users&#39; questions are indexed in a table of their own (<code>questions</code>, three keys per question), filled by a function that moves a cursor over the log. The worker calls it every second. A reader scans the log beyond the cursor itself, and moves the cursor first when there is more than a little to scan.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The work is deferred, not saved: about 6 µs of Postgres per event, more where the index outgrows memory. After a long absence of the worker the first question is slow. Deleting an event deletes its question, by a trigger.</p><h2 id="alternatives-considered" tabindex="-1">Alternatives considered <a class="header-anchor" href="#alternatives-considered" aria-label="Permalink to &quot;Alternatives considered&quot;">​</a></h2><p>Asking the actor&#39;s sessions one by one: correct, but slow for an application that is one actor with a hundred thousand sessions.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0020-index-questions-asynchronously.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0020IndexQuestionsAsynchronously = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0020IndexQuestionsAsynchronously as default
};
