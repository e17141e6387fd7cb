import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0004. Jobs name rows; BullMQ runs on Redis or on Postgres","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0004-jobs-name-rows.md","filePath":"docs/adr/0004-jobs-name-rows.md"}');
const _sfc_main = { name: "docs/adr/0004-jobs-name-rows.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0004-jobs-name-rows-bullmq-runs-on-redis-or-on-postgres" tabindex="-1">0004. Jobs name rows; BullMQ runs on Redis or on Postgres <a class="header-anchor" href="#_0004-jobs-name-rows-bullmq-runs-on-redis-or-on-postgres" aria-label="Permalink to &quot;0004. Jobs name rows; BullMQ runs on Redis or on Postgres&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>BullMQ delivers at least once and forgets everything when Redis does. By default it needs a minute to recover a killed worker&#39;s job and gives up at the second crash.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Due work is a row in Postgres with its due time, attempts and fencing token. A BullMQ job carries the row&#39;s key and nothing else. A handler claims the row first and does nothing when it is not due. A sweep enqueues everything that is due, every second.</p><p><code>QUEUE_URL</code> selects the backend: Redis or Valkey, or BullMQ&#39;s own Postgres backend for installations that want one server fewer. The same laws and end-to-end tests run on both.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A wiped queue costs a second and a repeated job costs one query. A worker that was paused past its lease cannot write, because its fencing token is out of date.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0004-jobs-name-rows.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0004JobsNameRows = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0004JobsNameRows as default
};
