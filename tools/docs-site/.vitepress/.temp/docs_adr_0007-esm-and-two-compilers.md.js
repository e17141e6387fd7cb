import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0007. ES modules and two TypeScript packages, without decorator metadata","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0007-esm-and-two-compilers.md","filePath":"docs/adr/0007-esm-and-two-compilers.md"}');
const _sfc_main = { name: "docs/adr/0007-esm-and-two-compilers.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0007-es-modules-and-two-typescript-packages-without-decorator-metadata" tabindex="-1">0007. ES modules and two TypeScript packages, without decorator metadata <a class="header-anchor" href="#_0007-es-modules-and-two-typescript-packages-without-decorator-metadata" aria-label="Permalink to &quot;0007. ES modules and two TypeScript packages, without decorator metadata&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Nest 12 is published as ES modules only. TypeScript 7 compiles about five times faster than 6, but has no JavaScript API, which the linter needs.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Everything is an ES module. <code>typescript</code> 6 serves the linter; TypeScript 7, under the alias <code>typescript-7</code>, compiles. Constructors name their tokens with <code>@Inject</code> and entity columns name their types, so <code>emitDecoratorMetadata</code> stays off.</p><p>Workspace packages export their sources under the condition <code>@turnkeeper/source</code>, which tests and type checks use; Node without the condition uses <code>dist</code>.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Tests never run against a stale build, and any transpiler can run the code. Two TypeScript versions must be kept up to date.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0007-esm-and-two-compilers.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0007EsmAndTwoCompilers = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0007EsmAndTwoCompilers as default
};
