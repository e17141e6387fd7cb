import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Rebuilding the projections","description":"","frontmatter":{},"headers":[],"relativePath":"docs/rebuild.md","filePath":"docs/rebuild.md"}');
const _sfc_main = { name: "docs/rebuild.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="rebuilding-the-projections" tabindex="-1">Rebuilding the projections <a class="header-anchor" href="#rebuilding-the-projections" aria-label="Permalink to &quot;Rebuilding the projections&quot;">​</a></h1><p>Memories, strategies, agents, records with their sources, rolling session memory and the index of turns are derived from the log alone.</p><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">npm</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> run</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> rebuild</span><span style="--shiki-light:#6A737D;--shiki-dark:#6A737D;">              # rebuilds them and swaps in the result</span></span>
<span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">npm</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> run</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> rebuild</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> --</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> --check</span><span style="--shiki-light:#6A737D;--shiki-dark:#6A737D;">   # only compares; exit code 3 if something differs</span></span></code></pre></div><p>It uses the database of <code>DATABASE_URL</code>, else that of <code>npm start</code>. In a container the command is <code>turnkeeper rebuild</code>. It needs a login that can create a schema, as <code>turnkeeper migrate</code> does. It calls no model: model answers are in the log.</p><p>Progress goes to stderr, the report to stdout (<code>--json</code> for programs):</p><div class="language- vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang"></span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>129 events in 2.7 s.</span></span>
<span class="line"><span>  memories                 1 rows  a17544bb6dd93515718c1454a4ed9f67  equal</span></span>
<span class="line"><span>  records               1797 rows  fb72ffd67557b4b54dc5615ba9d71eb3  DIFFERED: 0 changed, 1797 missing, 0 surplus</span></span>
<span class="line"><span>The projections were not what the log says. They are now.</span></span></code></pre></div><p>A page of the log is written in a few statements, and the next page is read meanwhile. The index of turns is compared turn by turn at the same time; only if it differs, it is truncated and rebuilt in place. Searches meanwhile tokenise missing turns themselves. <code>npm run bench -- rebuild</code> measures it with a million events, next to appends and searches.</p><p>Reads are never blocked. Writes continue while the log is replayed, and are blocked while rows are compared and replaced. Appends of messages can be delayed with them, and get 503 after ten seconds; with millions of records, run it at a quiet time. It is safe to interrupt: the partial result is dropped and nothing has changed. A concurrent rebuild is rejected.</p><p>Stored counts (usage, totals of lists, records) are not compared: a rebuild counts them again.</p><p>Data outside the log is not touched: extraction progress, due work, webhook endpoints and deliveries, connectors, tenants and keys. The lists are in <code>libs/read-models/src/rebuild/projection-tables.ts</code>, the reasons in <a href="/docs/adr/0016-rebuild-into-shadow-tables">ADR 0016</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/rebuild.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const rebuild = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  rebuild as default
};
