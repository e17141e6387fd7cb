import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0310. A client of our own on generated types","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0310-a-client-of-our-own-on-generated-types.md","filePath":"docs/adr/0310-a-client-of-our-own-on-generated-types.md"}');
const _sfc_main = { name: "docs/adr/0310-a-client-of-our-own-on-generated-types.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0310-a-client-of-our-own-on-generated-types" tabindex="-1">0310. A client of our own on generated types <a class="header-anchor" href="#_0310-a-client-of-our-own-on-generated-types" aria-label="Permalink to &quot;0310. A client of our own on generated types&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Applications called the API with <code>fetch</code> or generated a client. Each had to write retries, idempotency keys, paging and webhook checks, and most got one of them wrong. A generator gives types for free, but its surface is that of the paths.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>@turnkeeper/client</code> has types generated from <code>docs/openapi.json</code> (openapi-typescript) and a surface written by hand. The generated file is committed; a unit test compares it, <code>npm run docs</code> writes it. Responses other than 2xx are left out: errors have one type, and repeated at each operation they were most of the file.</li><li>Requests go through one typed function over the paths, so a changed parameter fails the build. The same function is public (<code>turnkeeper.request</code>), so every operation can be called before it has a method.</li><li>A request is retried after any failure if sending it twice has the effect of sending it once: reads, deletions, searches, and every POST, which gets an <code>Idempotency-Key</code> by itself (0271). PUT and PATCH are retried after 429, <code>server.busy</code> and <code>server.stopping</code> only, where the server says that it did not begin.</li><li>No dependencies and no Node modules; a unit test bundles it for browsers and measures it (6 kB gzip, at most 15).</li><li>Packed by <code>tools/packages/pack.mjs</code>: bundled entry points without the private libraries, and a manifest without what only the workspace understands. <code>publint</code> and <code>@arethetypeswrong/core</code> check the tarballs.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The packages are ESM only; CommonJS on Node 20.19 and later can <code>require</code> them. A change of the API changes a large generated file in the same commit. openapi-fetch was considered: it has the types, but not the retries, and its surface is the paths.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0310-a-client-of-our-own-on-generated-types.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0310AClientOfOurOwnOnGeneratedTypes = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0310AClientOfOurOwnOnGeneratedTypes as default
};
