import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"0301. Messages that arrive after an agent's end repeat that end","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0301-late-messages-repeat-the-end.md","filePath":"docs/adr/0301-late-messages-repeat-the-end.md"}`);
const _sfc_main = { name: "docs/adr/0301-late-messages-repeat-the-end.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0301-messages-that-arrive-after-an-agent-s-end-repeat-that-end" tabindex="-1">0301. Messages that arrive after an agent&#39;s end repeat that end <a class="header-anchor" href="#_0301-messages-that-arrive-after-an-agent-s-end-repeat-that-end" aria-label="Permalink to &quot;0301. Messages that arrive after an agent&#39;s end repeat that end&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Agora&#39;s notification 103 and ZEGOCLOUD&#39;s callbacks can arrive after the call was closed here: the vendor retries, or a proxy held them back. An agent&#39;s history is the range of its session between start and end, so what came after the end was in the session, but in no history and in no webhook.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>After late messages, the fold appends the agent&#39;s end again, with the same reason and the same time. The range then includes them, and the history is sent again.</li><li>If another agent has started in the session since, the end is not repeated: the range would include the other agent&#39;s messages. The notice gets the code <code>notice.late</code>; its messages are in the session.</li><li>A late sentence of a ZEGOCLOUD round that is stored already becomes a message of its own, with <code>metadata.late</code>. A late interruption cannot change a stored answer: it is parked with <code>notice.round_settled</code>.</li><li>Start and end of a vendor&#39;s agent have the vendor&#39;s times if they are plausible.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Receivers of <code>agent.stopped</code> and <code>agent.history</code> may get both again for one agent, under new ids, with more messages: the newer one replaces the older. An agent can have more than one end event in its session.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0301-late-messages-repeat-the-end.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0301LateMessagesRepeatTheEnd = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0301LateMessagesRepeatTheEnd as default
};
