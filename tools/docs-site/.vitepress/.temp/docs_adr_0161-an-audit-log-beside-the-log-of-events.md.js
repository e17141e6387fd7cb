import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0161. A separate audit log","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0161-an-audit-log-beside-the-log-of-events.md","filePath":"docs/adr/0161-an-audit-log-beside-the-log-of-events.md"}');
const _sfc_main = { name: "docs/adr/0161-an-audit-log-beside-the-log-of-events.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0161-a-separate-audit-log" tabindex="-1">0161. A separate audit log <a class="header-anchor" href="#_0161-a-separate-audit-log" aria-label="Permalink to &quot;0161. A separate audit log&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>An auditor asks who changed or exported what, from where, and whether that record can be altered. The log of events says what was said and what became of it; it does not say which key asked.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Every successful request that changes something, and every export, adds a row to <code>audit_log</code> before its answer is sent: key id, client address, operation, resource, status, request id, and the database&#39;s time.</li><li>Appended messages are left out: they are in the log of events with their own ids, order and time, and a row for each would double the cost of an append. The access line of each append carries key id and address.</li><li>A trigger refuses update, delete and truncate, also for the table&#39;s owner. Only retention (<code>AUDIT_LOG_DAYS</code>) deletes, and only rows that are older.</li><li>Ids of actors and sessions are hashed in the resource, so that an erasure need not reach the audit log, while an erasure can still be shown to someone who knows the id.</li><li><code>GET /v1/audit-log</code> needs <code>audit:read</code>, which no key has by default; it pages by <code>after</code> and is the export.</li><li>The client&#39;s address is that of the connection; behind proxies named by <code>TRUSTED_PROXIES</code> it is what they forward.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A row that cannot be written is logged as <code>audit.failed</code>; the change has happened and its answer does not deny it. A process that is killed between the change and the row leaves no row. Changes by the command line are not in the log: they are made with the database&#39;s own login, which could drop the trigger as well.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0161-an-audit-log-beside-the-log-of-events.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0161AnAuditLogBesideTheLogOfEvents = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0161AnAuditLogBesideTheLogOfEvents as default
};
