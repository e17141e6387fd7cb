import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0300. Actions go to the speech server as webhooks","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0300-actions-go-to-the-speech-server.md","filePath":"docs/adr/0300-actions-go-to-the-speech-server.md"}');
const _sfc_main = { name: "docs/adr/0300-actions-go-to-the-speech-server.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0300-actions-go-to-the-speech-server-as-webhooks" tabindex="-1">0300. Actions go to the speech server as webhooks <a class="header-anchor" href="#_0300-actions-go-to-the-speech-server-as-webhooks" aria-label="Permalink to &quot;0300. Actions go to the speech server as webhooks&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Agora&#39;s agent API has <code>speak</code>, <code>interrupt</code> and <code>think</code>. They command a speech engine, which Turnkeeper is not. Clients that were written for Agora call them, and what is spoken or put to the agent belongs in its memory.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>An action is an event of the session (<code>agent.instructed</code>), appended together with the message that it makes. It expires and is erased like a message.</li><li>The dispatcher sends it as the webhook <code>agent.action</code> to endpoints that subscribe to it by name. An endpoint without a list of events does not get it: only a server that can carry actions out may take them.</li><li>Without such an endpoint nothing is stored, and the client gets Agora&#39;s <code>NotImplemented</code>.</li><li><code>interrupt</code> changes no message. What was heard is known to the speech server, which reports it with the existing route.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Actions use the delivery, signing, retry, replay and erasure of other webhooks, and need no new setting. They are delivered at least once, and late after an outage: the receiver drops an old <code>timestamp</code>. A broker between client and speech server would be faster by the time of one dispatch, at the price of a second path with its own guarantees.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0300-actions-go-to-the-speech-server.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0300ActionsGoToTheSpeechServer = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0300ActionsGoToTheSpeechServer as default
};
