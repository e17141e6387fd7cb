import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0100. Stored events have a versioned contract","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0100-events-have-a-contract.md","filePath":"docs/adr/0100-events-have-a-contract.md"}');
const _sfc_main = { name: "docs/adr/0100-events-have-a-contract.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0100-stored-events-have-a-versioned-contract" tabindex="-1">0100. Stored events have a versioned contract <a class="header-anchor" href="#_0100-stored-events-have-a-versioned-contract" aria-label="Permalink to &quot;0100. Stored events have a versioned contract&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The log is the only part of an installation that can never be made again, and releases to come must read what this one writes. Event types were TypeScript interfaces only: a row was cast to an event when it was read, and <code>schemaVersion</code> was written and never looked at.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>libs/contracts/src/events</code> holds one zod schema per event type and version. The build fails when a schema and the domain&#39;s type have different fields.</li><li>Data is checked when it is written. Client messages are parsed at the edge by stricter schemas and are not checked a second time, because that would cost every append; events that our own code makes are checked in <code>checkAppendRequest</code>, which every store calls.</li><li>Data is not checked when it is read. <code>eventOf</code>, the one place that turns a row into an event, compares type and version, and runs the upcasts from the stored version to the newest.</li><li>A new optional field keeps the version. Anything else adds a version with an upcast. A new meaning is a new type.</li><li>A type or version that this release does not know is passed through unchanged and counted (<code>turnkeeper_unknown_events_read_total</code>); projections skip it. A release that was rolled back therefore keeps working on its successor&#39;s log.</li><li>One sample per version is committed, with its hash in a manifest. A changed or removed sample fails the build.</li><li><code>docs/events.md</code> is generated from the schemas.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Adding a field to an event means changing the domain type and the schema together. Schemas leave out the limits of the API, so that lowering a limit does not make stored events invalid. Corrupted data in a row is found by the log audit, not by readers.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0100-events-have-a-contract.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0100EventsHaveAContract = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0100EventsHaveAContract as default
};
