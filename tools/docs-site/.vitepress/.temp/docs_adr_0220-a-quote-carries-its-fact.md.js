import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"0220. A quote carries its fact, checked by words, numbers and names","description":"","frontmatter":{},"headers":[],"relativePath":"docs/adr/0220-a-quote-carries-its-fact.md","filePath":"docs/adr/0220-a-quote-carries-its-fact.md"}');
const _sfc_main = { name: "docs/adr/0220-a-quote-carries-its-fact.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="_0220-a-quote-carries-its-fact-checked-by-words-numbers-and-names" tabindex="-1">0220. A quote carries its fact, checked by words, numbers and names <a class="header-anchor" href="#_0220-a-quote-carries-its-fact-checked-by-words-numbers-and-names" aria-label="Permalink to &quot;0220. A quote carries its fact, checked by words, numbers and names&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A fact had to cite a message and quote it word for word. A model that was fooled, or is weak, can quote a true &quot;I&quot; and state anything. Asking a second model whether a quote proves a fact costs a call for every fact and can be fooled in the same way.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>The quotes of a fact share content words with it: one, and one more for every six content words of the fact. Words are compared by stem; common words and who speaks do not count.</li><li>Every number of the fact stands in a message that it cites, in digits or spelled out. A date may also follow from a time word (&quot;yesterday&quot;) and the day on which it was said.</li><li>Every name of the fact stands in a message that it cites, or is that of a speaker. A capital marks a name, except in German, where all nouns have one.</li><li>A fact that restates an existing record which the model was shown (<code>sameAs</code>) adds a source only; the words of that record need no proof again.</li><li>The check runs on every candidate, of models and rules alike, in time linear in the texts. What fails is refused with its reason and counted in the record&#39;s explanation.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A true fact in quite other words (&quot;I fractured my arm&quot; → &quot;User is hurt&quot;) is refused: precision comes first. Facts in another language than the message are refused as well; the prompt asks for the language of the conversation. A fact that combines shared words wrongly (&quot;Ann likes Bob&quot; for &quot;Bob likes Ann&quot;) still passes.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/adr/0220-a-quote-carries-its-fact.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0220AQuoteCarriesItsFact = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0220AQuoteCarriesItsFact as default
};
