import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Example: a webhook receiver","description":"","frontmatter":{},"headers":[],"relativePath":"docs/examples/voice-webhook-receiver.md","filePath":"docs/examples/voice-webhook-receiver.md"}');
const _sfc_main = { name: "docs/examples/voice-webhook-receiver.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="example-a-webhook-receiver" tabindex="-1">Example: a webhook receiver <a class="header-anchor" href="#example-a-webhook-receiver" aria-label="Permalink to &quot;Example: a webhook receiver&quot;">​</a></h1><p><code>examples/voice-webhook-receiver</code> takes the history of each call with Fastify or Express. receive.mjs does what every receiver must do: check the signature over the raw body, in both formats; take each message once; answer 401 to what is not signed, and 5xx if it could not be stored, so that it is sent again.</p><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">WEBHOOK_SECRET</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">=</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;">whsec_…</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> node</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> examples/voice-webhook-receiver/fastify.mjs</span></span></code></pre></div><p>The secret is in the answer to <code>POST /v1/webhook-endpoints</code>; see <a href="/docs/webhooks">webhooks.md</a>. Keep the ids of messages in your database, with what you store: a process forgets them.</p><p>It runs from the repository after <code>npm run build</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/examples/voice-webhook-receiver.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const voiceWebhookReceiver = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  voiceWebhookReceiver as default
};
