import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  // The server replaces the placeholder with a new nonce in every response.
  html: { cspNonce: '__CSP_NONCE__' },
  // A data URL would bypass the server's list of assets and their caching.
  // `license`: the bundle is distributed, so dist/.vite/license.md has the licence texts of what is in it.
  build: { license: true, assetsInlineLimit: 0, reportCompressedSize: false, chunkSizeWarningLimit: 900 },
});
