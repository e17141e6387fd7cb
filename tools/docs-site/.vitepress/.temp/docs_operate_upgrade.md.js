import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Upgrade and downgrade","description":"","frontmatter":{},"headers":[],"relativePath":"docs/operate/upgrade.md","filePath":"docs/operate/upgrade.md"}');
const _sfc_main = { name: "docs/operate/upgrade.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="upgrade-and-downgrade" tabindex="-1">Upgrade and downgrade <a class="header-anchor" href="#upgrade-and-downgrade" aria-label="Permalink to &quot;Upgrade and downgrade&quot;">​</a></h1><h2 id="upgrade" tabindex="-1">Upgrade <a class="header-anchor" href="#upgrade" aria-label="Permalink to &quot;Upgrade&quot;">​</a></h2><ol><li>Read <a href="/CHANGELOG">CHANGELOG.md</a>, the entries under &quot;Breaking&quot; first.</li><li>Take a backup (<a href="/docs/operate/backup">backup.md</a>).</li><li>Run <code>turnkeeper migrate</code> with the new release. Migrations only go forward and keep the previous release working, so the old processes can keep running. Concurrent runs wait for each other. The chart runs it as a job before it replaces pods.</li><li>Replace ingest, then worker, one process after the other. A process that gets SIGTERM answers <code>/readyz</code> with 503, goes on serving for <code>SHUTDOWN_DRAIN_SECONDS</code> (5) while balancers notice, closes its connections, gives back its leases and ends within <code>SHUTDOWN_DEADLINE_SECONDS</code> (10).</li></ol><p>The grace period of your orchestrator must be longer than both settings together.</p><p>Do not skip releases: upgrade through every minor release, because a migration keeps only the release before it working.</p><h2 id="what-takes-long" tabindex="-1">What takes long <a class="header-anchor" href="#what-takes-long" aria-label="Permalink to &quot;What takes long&quot;">​</a></h2><p>A migration that rebuilds an index of the whole log says so in the changelog. It holds no lock that stops appends for longer than it takes to swap names, unless the changelog says otherwise.</p><h2 id="downgrade" tabindex="-1">Downgrade <a class="header-anchor" href="#downgrade" aria-label="Permalink to &quot;Downgrade&quot;">​</a></h2><p>Start the processes of the previous release; leave the schema as it is. Further back than one release, restore the backup. Events written by a newer release that an older one does not know are passed through unchanged and counted in <code>turnkeeper_unknown_events_read_total</code>.</p><h2 id="what-was-run" tabindex="-1">What was run <a class="header-anchor" href="#what-was-run" aria-label="Permalink to &quot;What was run&quot;">​</a></h2><p>The tests migrate a dump of the previous release&#39;s database with data in it, read it back, rebuild it to equal projections and append to it. Ingest is replaced behind a balancer that polls <code>/readyz</code>, without a failed call (<code>apps/e2e/src/drain.ingest.e2e.spec.ts</code>).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/operate/upgrade.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const upgrade = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  upgrade as default
};
