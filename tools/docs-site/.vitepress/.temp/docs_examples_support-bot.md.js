import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Example: a support bot","description":"","frontmatter":{},"headers":[],"relativePath":"docs/examples/support-bot.md","filePath":"docs/examples/support-bot.md"}');
const _sfc_main = { name: "docs/examples/support-bot.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="example-a-support-bot" tabindex="-1">Example: a support bot <a class="header-anchor" href="#example-a-support-bot" aria-label="Permalink to &quot;Example: a support bot&quot;">​</a></h1><p>examples/support-bot/bot.mjs is a chat in the terminal that remembers its users in later sessions: it appends what is said, and writes each answer with the context block of the user.</p><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">set</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> -a</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">; </span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">.</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> .turnkeeper/env</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">; </span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">set</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> +a</span></span>
<span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">node</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> examples/support-bot/bot.mjs</span></span></code></pre></div><p>It prints its <code>MEMORY_ID</code>; set it, and start again: what you said is known. Without <code>LLM_BASE_URL</code> a fake model says what it was told about you. With it, and <code>LLM_MODEL</code> and <code>LLM_API_KEY</code>, any endpoint with OpenAI&#39;s API answers.</p><p>It runs from the repository after <code>npm run build</code>. <code>npm start -- --detach</code> starts a server, and writes its URL and key to <code>.turnkeeper/env</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/examples/support-bot.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const supportBot = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  supportBot as default
};
