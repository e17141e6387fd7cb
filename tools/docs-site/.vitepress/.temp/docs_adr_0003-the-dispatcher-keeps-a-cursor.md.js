import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0003. The dispatcher plans work from a cursor over the log","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0003-the-dispatcher-keeps-a-cursor.md","filePath":"docs/adr/0003-the-dispatcher-keeps-a-cursor.md"}');
const _sfc_main = { name: "docs/adr/0003-the-dispatcher-keeps-a-cursor.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0003-the-dispatcher-plans-work-from-a-cursor-over-the-log" tabindex="-1">0003. The dispatcher plans work from a cursor over the log <a class="header-anchor" href="#_0003-the-dispatcher-plans-work-from-a-cursor-over-the-log" aria-label="Permalink to &quot;0003. The dispatcher plans work from a cursor over the log&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Work such as extractions and deliveries follows from events. Messages may be delivered twice, late or never, so counting turns from messages would need a record of every message seen.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The worker&#39;s dispatcher reads the log after its cursor, writes the rows that are now due and moves the cursor, all in one transaction. A JetStream message, a finished job and a timer all call the same function; a message only says that there may be something new.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Each event counts exactly once, however often its message is delivered, and it counts when the message was lost. That is what allows JetStream to be wiped. One dispatcher works at a time per log partition. It only writes rows, one page of 500 events per transaction, which is far from the limit; the work itself runs in parallel.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0003-the-dispatcher-keeps-a-cursor.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0003TheDispatcherKeepsACursor = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0003TheDispatcherKeepsACursor as default
};
