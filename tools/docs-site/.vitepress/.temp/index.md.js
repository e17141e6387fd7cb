import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse(`{"title":"","description":"","frontmatter":{"layout":"home","hero":{"name":"Turnkeeper","text":"Memory for conversational agents","tagline":"Self-hosted and event-sourced. Conversations become durable events; records cite the turns they came from.","actions":[{"theme":"brand","text":"The first ten minutes","link":"/docs/start"},{"theme":"alt","text":"The road of one event","link":"/docs/journey"},{"theme":"alt","text":"Settings","link":"/docs/settings"}]},"features":[{"title":"A 2xx means committed","details":"Sequences have no gaps or duplicates, positions are dense, and retries with the same key get the same answer. JetStream and the job queue are copies; wipe them under load and nothing is lost."},{"title":"Records with proof","details":"Every record names the turns that it came from and quotes them. A model can only add; its raw answer is kept in the log."},{"title":"The vendors' shapes","details":"Agora, ZEGOCLOUD, AgentBase and Inworld clients keep their requests, responses and errors. Signed webhooks deliver the whole history when an agent stops."},{"title":"Run by you","details":"Two services, Postgres, NATS and an optional Redis. Helm chart, metrics, alerts with runbooks, row-level security, erasure with signed receipts."}]},"headers":[],"relativePath":"index.md","filePath":"docs/index.md"}`);
const _sfc_main = { name: "index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
