import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Platforms","description":"","frontmatter":{},"headers":[],"relativePath":"docs/platforms/index.md","filePath":"docs/platforms/README.md"}');
const _sfc_main = { name: "docs/platforms/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="platforms" tabindex="-1">Platforms <a class="header-anchor" href="#platforms" aria-label="Permalink to &quot;Platforms&quot;">​</a></h1><p>From the client of another platform to this server, in ten minutes each. A test runs every command of these pages.</p><table tabindex="0"><thead><tr><th>page</th><th>for</th></tr></thead><tbody><tr><td><a href="/docs/platforms/agora">Agora</a></td><td>clients of the Conversational AI Engine&#39;s agent API</td></tr><tr><td><a href="/docs/platforms/zegocloud">ZEGOCLOUD</a></td><td>clients of the AI Agent API</td></tr><tr><td><a href="/docs/platforms/agentbase">AgentBase</a></td><td>clients of the Memory service</td></tr><tr><td><a href="/docs/platforms/inworld">Inworld</a></td><td>handlers of Realtime sessions that persist the memory state</td></tr><tr><td><a href="/docs/platforms/sqlite">SQLite</a></td><td>programs with the class <code>SQLiteShortTermMemory</code></td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/platforms/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};
