import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0140. Compare the stream with the log","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0140-compare-the-stream-with-the-log.md","filePath":"docs/adr/0140-compare-the-stream-with-the-log.md"}');
const _sfc_main = { name: "docs/adr/0140-compare-the-stream-with-the-log.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0140-compare-the-stream-with-the-log" tabindex="-1">0140. Compare the stream with the log <a class="header-anchor" href="#_0140-compare-the-stream-with-the-log" aria-label="Permalink to &quot;0140. Compare the stream with the log&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>JetStream holds a copy of the log for subscribers from outside. The relay published each event once and moved on. When the stream was deleted, purged or wiped, or one message was deleted, those events stayed missing for subscribers, without a log line or a metric.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The process that leads the relay looks at the stream&#39;s numbers every ten seconds: when it was made, its first and last sequence, and how many messages are missing in between. They are held against the numbers kept in Postgres when stream and log last agreed. A difference that age does not explain starts a comparison, and so does an hour without one.</p><p>The comparison reads the ids of all messages and no bodies. An id names a memory and the first and last of its positions in one page, so the ids alone say which events the stream contains. Events of the log that no message contains are published again. The ends of the pages are kept in Postgres for as long as the stream keeps messages, so a lost message gets the id that it had.</p><p>JetStream remembers ids for 30 seconds. Until then it takes a republished message for a repeat of the deleted one and refuses it; the comparison counts that and tries again.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A message deleted by hand is back within 40 seconds, a deleted stream as fast as it can be read and published.</li><li>What is republished comes after newer messages. Subscribers order by position and recognise repeats by the event&#39;s id.</li><li>Kept pages cost one row per second of traffic, for a week.</li><li>Where an operator limits the stream&#39;s size, messages that fell out at its old end are not published again.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0140-compare-the-stream-with-the-log.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0140CompareTheStreamWithTheLog = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0140CompareTheStreamWithTheLog as default
};
