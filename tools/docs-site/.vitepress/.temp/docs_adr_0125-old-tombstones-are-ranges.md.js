import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Old tombstones are ranges","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0125-old-tombstones-are-ranges.md","filePath":"docs/adr/0125-old-tombstones-are-ranges.md"}');
const _sfc_main = { name: "docs/adr/0125-old-tombstones-are-ranges.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="old-tombstones-are-ranges" tabindex="-1">Old tombstones are ranges <a class="header-anchor" href="#old-tombstones-are-ranges" aria-label="Permalink to &quot;Old tombstones are ranges&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Every deleted event leaves a tombstone: it explains the hole in the log&#39;s positions, says whether a record&#39;s source expired or was erased, and keeps a session&#39;s sequence numbers from starting again after all of its events are gone. One row for each event that ever was makes a short-expiry installation grow without bound. <code>closed_sessions</code> has the same problem.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>After <code>TOMBSTONE_DAYS</code>, tombstones are merged. <code>buried_positions</code> holds ranges of positions, whatever sessions they were of, with the reasons and the newest time of deletion. <code>buried_sequences</code> holds ranges of a session&#39;s sequences by reason, for sessions that were not erased. Neighbouring ranges become one, so a log whose beginning has expired has one row for it.</li><li>Two tombstones stay as they are: the one at the head of the log, and the one with the highest sequence of a session that has no newer event (<code>kept</code>). Appends and readers therefore find the head and a session&#39;s newest sequence where they always did, and the statement that appends is unchanged.</li><li>An erased session&#39;s entry goes when its tombstones are merged. Its key is never given out again.</li><li>What is due is found by an index on the age of what is not merged; kept rows are not in it.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>What remains grows with sessions (a row in <code>sessions</code>, one tombstone, usually one range), not with events.</li><li>The audit counts ranges. For erased sessions it no longer checks sequences, only that every position is explained.</li><li>An older release&#39;s audit reports merged positions as missing.</li><li>The exact time and tenant of a single deletion cannot be told after <code>TOMBSTONE_DAYS</code>.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0125-old-tombstones-are-ranges.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0125OldTombstonesAreRanges = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0125OldTombstonesAreRanges as default
};
