export * from './vendor.js';
export * from './vendors.js';
export * from './api-routes.js';
export * from './management/index.js';
export * from './shared/exact-json.js';
export * from './shared/hex.js';
export * from './agora/api/index.js';
export * from './agora/signature.js';
export * as inworldRoutes from './inworld/contract.js';
export { readMemoryState } from './inworld/read.js';
export * from './inworld/views.js';
export * from './zegocloud/api/index.js';
/** Errors of registering a vendor's project. */
export * as vendorAppErrors from './zegocloud/app.js';
export { decodeZegoBody } from './zegocloud/shapes.js';
export { firstOpenRound, foldZegoCallbacks, type ReceivedZegoCallback } from './zegocloud/rounds.js';
export { chatHeaders, type ChatCompletionBody } from './openai-chat/bodies.js';
export { chatError } from './openai-chat/errors.js';
export { createChatCompletion } from './openai-chat/routes.js';
