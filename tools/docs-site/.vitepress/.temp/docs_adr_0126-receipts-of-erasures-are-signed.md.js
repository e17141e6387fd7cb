import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Receipts of erasures are signed","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0126-receipts-of-erasures-are-signed.md","filePath":"docs/adr/0126-receipts-of-erasures-are-signed.md"}');
const _sfc_main = { name: "docs/adr/0126-receipts-of-erasures-are-signed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="receipts-of-erasures-are-signed" tabindex="-1">Receipts of erasures are signed <a class="header-anchor" href="#receipts-of-erasures-are-signed" aria-label="Permalink to &quot;Receipts of erasures are signed&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Who asks for an erasure has to prove later that it was done, what it covered and what remains, without keeping the personal data that was erased. A plain JSON answer proves nothing: it can be forged.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>An erasure answers with a receipt: counts by store, what remains, why and until when. Its subject is a SHA-256 digest of the ids, which those who know the ids can compute again.</li><li>The receipt is a compact JWS (EdDSA, Ed25519). The payload is the JSON text of the receipt, so it can be checked with any JOSE library. The key pair is derived from a random value that the migrations put into <code>signing_keys</code>; no setting is needed.</li><li><code>GET /v1/erasure-keys</code> gives the public key as a JWK set. Its <code>kid</code> is the RFC 7638 thumbprint and stands in the header of each receipt. Callers pin the key once; the key in the answer itself is for convenience only.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Processes of one installation sign with the same key, and a restored backup goes on with it.</li><li>The database&#39;s owner could forge a receipt. It proves what the installation said, not what the disks hold.</li><li>There is no rotation yet. The route gives a list, so that an older key can stay in it when there is.</li><li><code>typ</code> says <code>turnkeeper-erasure-receipt+jws</code>, so that a receipt is not taken for another token.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0126-receipts-of-erasures-are-signed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0126ReceiptsOfErasuresAreSigned = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0126ReceiptsOfErasuresAreSigned as default
};
