import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0232. The API reference can be tried out, and is served by the server itself","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0232-a-reference-that-can-be-tried-out.md","filePath":"docs/adr/0232-a-reference-that-can-be-tried-out.md"}');
const _sfc_main = { name: "docs/adr/0232-a-reference-that-can-be-tried-out.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0232-the-api-reference-can-be-tried-out-and-is-served-by-the-server-itself" tabindex="-1">0232. The API reference can be tried out, and is served by the server itself <a class="header-anchor" href="#_0232-the-api-reference-can-be-tried-out-and-is-served-by-the-server-itself" aria-label="Permalink to &quot;0232. The API reference can be tried out, and is served by the server itself&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The page at <code>/docs</code> could only be read. Interactive references are usually loaded from a CDN, which an installation without internet cannot do, and which tells the CDN who reads.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>/docs</code> is Swagger UI (<code>swagger-ui-dist</code>), served from the package with a policy that allows scripts, styles and requests of this server only. It is one package with a bundle; Scalar looks better but brings 267 packages. The telemetry that runs when the package is installed (<code>@scarf/scarf</code>) is switched off by <code>scarfSettings</code>.</li><li><code>/docs/plain</code> is the former page: no script, made from the same document.</li><li>The document is linted by Redocly and Spectral, and <code>docs/asyncapi.json</code> by the AsyncAPI parser, in the unit tests. The answer of every route to an allowed request is compared with the OpenAPI document, end to end.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The package adds 12 MB to the image. A key that is typed into the page stays in its memory and is gone when it is closed.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0232-a-reference-that-can-be-tried-out.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0232AReferenceThatCanBeTriedOut = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0232AReferenceThatCanBeTriedOut as default
};
