import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0311. Short-term memory in a SQLite file","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0311-short-term-memory-in-a-sqlite-file.md","filePath":"docs/adr/0311-short-term-memory-in-a-sqlite-file.md"}');
const _sfc_main = { name: "docs/adr/0311-short-term-memory-in-a-sqlite-file.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0311-short-term-memory-in-a-sqlite-file" tabindex="-1">0311. Short-term memory in a SQLite file <a class="header-anchor" href="#_0311-short-term-memory-in-a-sqlite-file" aria-label="Permalink to &quot;0311. Short-term memory in a SQLite file&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p><code>SQLiteShortTermMemory</code> is one class and one file. Ours kept messages in the process or on a server; a program that wants a few lines and a file had nothing. Node has SQLite from version 22.13; <code>better-sqlite3</code> downloads or compiles its binary in an install script, which npm no longer runs by default.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>ShortTermMemory</code> takes a path. It uses <code>node:sqlite</code> where Node has it, otherwise the optional peer <code>libsql</code>, whose binaries are packages, so nothing is downloaded or compiled. Both have the few methods that are used.</li><li>The table is that of the Python class, so files can be shared with it. Each call is one transaction, synchronous on disk.</li><li>Arguments are validated in the class, by the server&#39;s rules, whatever stores the messages.</li><li>Calls of one instance keep their order: writes wait for all earlier calls, reads for earlier writes.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A file deletes what a cleared session held; a server hides it. On a server, writes of one instance go one at a time: use <code>@turnkeeper/client</code> for bulk.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0311-short-term-memory-in-a-sqlite-file.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0311ShortTermMemoryInASqliteFile = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0311ShortTermMemoryInASqliteFile as default
};
