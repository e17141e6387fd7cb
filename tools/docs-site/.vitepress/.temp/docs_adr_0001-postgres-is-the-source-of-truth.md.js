import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0001. Postgres is the source of truth; positions are dense and commit-ordered","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0001-postgres-is-the-source-of-truth.md","filePath":"docs/adr/0001-postgres-is-the-source-of-truth.md"}');
const _sfc_main = { name: "docs/adr/0001-postgres-is-the-source-of-truth.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0001-postgres-is-the-source-of-truth-positions-are-dense-and-commit-ordered" tabindex="-1">0001. Postgres is the source of truth; positions are dense and commit-ordered <a class="header-anchor" href="#_0001-postgres-is-the-source-of-truth-positions-are-dense-and-commit-ordered" aria-label="Permalink to &quot;0001. Postgres is the source of truth; positions are dense and commit-ordered&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-20</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A reader that asks for <code>position &gt; last</code> over a plain sequence loses committed events, because sequence numbers are drawn before commit. A reader that stays below the snapshot horizon loses none, but it stalls behind any open writing transaction in the cluster and goes blind after a dump and restore.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>A 2xx answer means that the events are committed in Postgres with <code>synchronous_commit=on</code>. JetStream and the job queue are copies: both are rebuilt from Postgres, and nothing is ever rebuilt from them.</p><p>Requests in flight share a transaction (group commit). While one batch is being written, the next one fills; there is no timer and no added delay when idle. A batch is one call of the SQL function <code>append_batch</code> (0033). It takes the log&#39;s advisory lock first and makes every decision (repeats, open memory, expected sequence) on a snapshot taken after the lock, so two processes cannot decide on the same past. A position is the newest position plus one: dense, and visible in commit order. There is no counter row, because its dead versions would pile up under a long backup and every append would have to walk them.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Every hole in the positions is a bug that can be detected. The lock is taken per batch, not per event, so it is cheap. All batches of one log partition commit one after another; the tables carry a partition column, and more partitions are how this scales out. Erased and expired events leave a tombstone, because density could not be verified otherwise.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0001-postgres-is-the-source-of-truth.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0001PostgresIsTheSourceOfTruth = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0001PostgresIsTheSourceOfTruth as default
};
