import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Security","description":"","frontmatter":{},"headers":[],"relativePath":"SECURITY.md","filePath":"SECURITY.md"}');
const _sfc_main = { name: "SECURITY.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="security" tabindex="-1">Security <a class="header-anchor" href="#security" aria-label="Permalink to &quot;Security&quot;">​</a></h1><h2 id="reporting-a-vulnerability" tabindex="-1">Reporting a vulnerability <a class="header-anchor" href="#reporting-a-vulnerability" aria-label="Permalink to &quot;Reporting a vulnerability&quot;">​</a></h2><p>Please report privately, through &quot;Report a vulnerability&quot; on the Security page of the repository, not in a public issue. Say which version you used, what you did, what happened, and what an attacker gains. Do not include data of real people.</p><ul><li>We acknowledge a report within three working days and say within ten whether we can reproduce it.</li><li>We fix critical and high findings before other work, publish an advisory with the fixed version, and credit you if you wish.</li><li>Please give us 90 days before you publish. We will not take legal action over research in good faith on an installation of your own.</li></ul><h2 id="supported-versions" tabindex="-1">Supported versions <a class="header-anchor" href="#supported-versions" aria-label="Permalink to &quot;Supported versions&quot;">​</a></h2><p>The newest minor version receives security fixes. Until 1.0 that is the newest release.</p><h2 id="what-is-in-scope" tabindex="-1">What is in scope <a class="header-anchor" href="#what-is-in-scope" aria-label="Permalink to &quot;What is in scope&quot;">​</a></h2><p>Everything in this repository on its default settings: the HTTP API, the worker, webhooks and connectors, the command line, the images, Compose and the chart. <a href="/docs/threat-model">docs/threat-model.md</a> names the trust boundaries and what is out of scope.</p><h2 id="secrets-at-rest" tabindex="-1">Secrets at rest <a class="header-anchor" href="#secrets-at-rest" aria-label="Permalink to &quot;Secrets at rest&quot;">​</a></h2><p>Secrets that the services must read again are stored encrypted with a key of yours: <a href="/docs/secrets">docs/secrets.md</a>.</p><h2 id="software-bill-of-materials" tabindex="-1">Software bill of materials <a class="header-anchor" href="#software-bill-of-materials" aria-label="Permalink to &quot;Software bill of materials&quot;">​</a></h2><p><code>npm run sbom</code> writes <code>sbom.cdx.json</code> (CycloneDX) with every package that the services run with, from <code>package-lock.json</code>. Development packages are left out.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("SECURITY.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const SECURITY = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  SECURITY as default
};
