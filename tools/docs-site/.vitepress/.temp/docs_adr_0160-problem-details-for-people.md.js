import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0160. Problem details are worded for people and open their own page","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0160-problem-details-for-people.md","filePath":"docs/adr/0160-problem-details-for-people.md"}');
const _sfc_main = { name: "docs/adr/0160-problem-details-for-people.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0160-problem-details-are-worded-for-people-and-open-their-own-page" tabindex="-1">0160. Problem details are worded for people and open their own page <a class="header-anchor" href="#_0160-problem-details-are-worded-for-people-and-open-their-own-page" aria-label="Permalink to &quot;0160. Problem details are worded for people and open their own page&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Errors named operation ids and printed the validator&#39;s sentences. The title of one code varied with the request, and the <code>type</code> was a URN that opened nothing.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>title</code> is the same for every occurrence of a code, <code>detail</code> is about this request: the field as it was sent and a predicate (<code>limit must be between 5 and 200</code>). <code>libs/contracts/src/wording.ts</code> turns the validator&#39;s issues into predicates; a schema&#39;s own words come first.</li><li><code>type</code> is the relative reference <code>/docs/errors#&lt;code&gt;</code>. RFC 9457 resolves it against the request, so it opens the page that the same server serves, on every installation and without the internet. It is the same string everywhere, which an absolute URL below <code>PUBLIC_URL</code> would not be.</li><li><code>instance</code> is <code>urn:uuid:&lt;requestId&gt;</code>; the id is also in <code>requestId</code>, in <code>X-Request-Id</code> of every answer and in the log.</li><li><code>problemFaults</code> (libs/testing) checks every entry of the catalogue, and every refusal that an end-to-end test receives.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A proxy that serves the API below a path prefix must also pass <code>/docs/errors</code> through, or the link leads elsewhere. Clients that compared <code>type</code> with the old URN must compare <code>code</code>, which has not changed.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0160-problem-details-for-people.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0160ProblemDetailsForPeople = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0160ProblemDetailsForPeople as default
};
