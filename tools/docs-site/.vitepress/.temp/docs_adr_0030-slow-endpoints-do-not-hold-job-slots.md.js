import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0030. Slow webhook endpoints do not hold job slots","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0030-slow-endpoints-do-not-hold-job-slots.md","filePath":"docs/adr/0030-slow-endpoints-do-not-hold-job-slots.md"}');
const _sfc_main = { name: "docs/adr/0030-slow-endpoints-do-not-hold-job-slots.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0030-slow-webhook-endpoints-do-not-hold-job-slots" tabindex="-1">0030. Slow webhook endpoints do not hold job slots <a class="header-anchor" href="#_0030-slow-webhook-endpoints-do-not-hold-job-slots" aria-label="Permalink to &quot;0030. Slow webhook endpoints do not hold job slots&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A queue is first in, first out, and a hanging endpoint holds a slot for each of its attempts until the time limit. With 64 slots and a limit of 15 seconds, a handful of endpoints that begin to hang would hold them all. A limit per endpoint does not help when many begin at once, and knowing which ones hang comes too late.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Deliveries are admitted to the queue from their rows, up to a limit per endpoint, and one at a time for an endpoint whose last attempt timed out. A job ends when its attempt is answered, or after 250 ms; the attempt then continues without the job, up to a bound per worker.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Waiting for an answer costs a connection and nothing else. Ending the job early is safe because jobs are hints: the row and its lease say what is due, and an attempt whose process dies is repeated when the lease has expired. Admissions exclude each other by an advisory lock; each costs one statement.</p><h2 id="alternatives-considered" tabindex="-1">Alternatives considered <a class="header-anchor" href="#alternatives-considered" aria-label="Permalink to &quot;Alternatives considered&quot;">​</a></h2><p>A second queue for slow endpoints bounds the steady state but not the onset, and needs a fixed share of slots that is wrong for some installations.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0030-slow-endpoints-do-not-hold-job-slots.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0030SlowEndpointsDoNotHoldJobSlots = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0030SlowEndpointsDoNotHoldJobSlots as default
};
