import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0290. A console of static files on the public API","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0290-a-console-on-the-public-api.md","filePath":"docs/adr/0290-a-console-on-the-public-api.md"}');
const _sfc_main = { name: "docs/adr/0290-a-console-on-the-public-api.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0290-a-console-of-static-files-on-the-public-api" tabindex="-1">0290. A console of static files on the public API <a class="header-anchor" href="#_0290-a-console-of-static-files-on-the-public-api" aria-label="Permalink to &quot;0290. A console of static files on the public API&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Operators need to see conversations and records, and why a record is believed. A console that reads tables, or that has routes of its own, would be a second way past scopes, row-level security and limits, with its own faults.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>apps/console</code> is a single-page application: React, TanStack Router, Query and Virtual, Mantine, and <code>openapi-fetch</code> with types generated from <code>docs/openapi.json</code>. It calls the public API with the credential of its user and has no privilege of its own.</li><li>ingest serves its files from memory. Assets have hashed names and are immutable; the page is rendered per response with a nonce. The policy allows nothing inline without it, and no origin but its own (and the OIDC issuer).</li><li>We do not use <code>@fastify/static</code>: only names that the build produced are served, so no path of a request reaches the file system, and the routes pass admission, access log and errors like all others.</li><li>One route was added: <code>GET /v1/auth/caller</code> returns tenant, scopes and reach of the caller. It needs a valid credential with any scope. Without it the console would find out what it may show by failing.</li><li>A transcript asks for the newest turn every two seconds. An event stream would save these requests, but needs one follower of the log per process and limits of open streams per tenant.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>What the console can do, curl can do. Its tests are tests of the API&#39;s words, too.</li><li>The development tree gets React and Mantine; the image gets only the built files.</li><li>Console and API are released together; an older page in a browser tab may meet a newer API.</li><li>With the issuer&#39;s token endpoint on another origin than the issuer, sign-in needs an issuer that proxies it.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0290-a-console-on-the-public-api.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0290AConsoleOnThePublicApi = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0290AConsoleOnThePublicApi as default
};
