import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0231. Versions of resources, compressed bodies, and calls from browsers","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0231-versions-compression-and-browsers.md","filePath":"docs/adr/0231-versions-compression-and-browsers.md"}');
const _sfc_main = { name: "docs/adr/0231-versions-compression-and-browsers.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0231-versions-of-resources-compressed-bodies-and-calls-from-browsers" tabindex="-1">0231. Versions of resources, compressed bodies, and calls from browsers <a class="header-anchor" href="#_0231-versions-of-resources-compressed-bodies-and-calls-from-browsers" aria-label="Permalink to &quot;0231. Versions of resources, compressed bodies, and calls from browsers&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Two people who change one memory overwrite each other. Imports of histories are mostly text and compress well. A console in a browser could not call the API at all.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>A memory, a strategy, a webhook endpoint and an agent have a strong <code>ETag</code>: a hash of what GET answers, with the fields in order. A change honours <code>If-Match</code>: the comparison is made on the locked row, so of two changes with the same ETag one gets 412. <code>If-None-Match</code> on GET answers 304. <code>If-Match</code> is never required (no 428): clients of AgentBase do not send it.</li><li>A JSON body may be sent with <code>Content-Encoding: gzip</code>. The limits are those of the inflated body, and inflating stops where the limit is passed. Other encodings, and compressed lines of an import, are answered with 415.</li><li><code>CORS_ORIGINS</code> names origins whose pages may call the API; none by default. Keys travel in <code>Authorization</code>, so cookies are never allowed. The headers are sent before anything can refuse a request, so that a page can read refusals.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A hash costs a second serialization of a small answer, on these routes only. An endpoint&#39;s ETag changes when an old secret expires, because the secret is part of what is shown.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0231-versions-compression-and-browsers.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0231VersionsCompressionAndBrowsers = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0231VersionsCompressionAndBrowsers as default
};
