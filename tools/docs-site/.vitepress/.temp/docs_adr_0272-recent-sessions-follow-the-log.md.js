import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0272. The index of recent sessions follows the log","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0272-recent-sessions-follow-the-log.md","filePath":"docs/adr/0272-recent-sessions-follow-the-log.md"}');
const _sfc_main = { name: "docs/adr/0272-recent-sessions-follow-the-log.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0272-the-index-of-recent-sessions-follows-the-log" tabindex="-1">0272. The index of recent sessions follows the log <a class="header-anchor" href="#_0272-the-index-of-recent-sessions-follows-the-log" aria-label="Permalink to &quot;0272. The index of recent sessions follows the log&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Clients want the sessions of a user, or of a whole memory, with the most recently active first. A session&#39;s row does not know its last activity, and an update of it with every append would cost each append a write of an indexed column, under the head of the log.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>session_activity</code> holds the newest position of each session, with an index by memory and by actor. Like the index of questions it follows the log with a cursor: the worker keeps it near the head, and the first page of a listing takes in what is left before it reads.</li><li>A page is read by index, after the position of the last row of the previous page. A session that becomes active moves to the front, so it occurs at most once.</li><li>Deleting a session&#39;s row deletes its activity. Indexing locks the session rows it writes about, so it leaves nothing of a session that is erased meanwhile.</li><li><code>messages</code> comes from the index of turns, which is kept exact under deletion. It may lag for seconds.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>After the upgrade the worker indexes the existing log; until then a first page may lack sessions, if 500,000 positions or more are left.</li><li>One statement per 5,000 positions in the worker, with one upsert per session in them.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0272-recent-sessions-follow-the-log.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0272RecentSessionsFollowTheLog = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0272RecentSessionsFollowTheLog as default
};
