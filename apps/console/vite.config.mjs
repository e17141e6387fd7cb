import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  // The server replaces the placeholder with a new nonce in every response.
  html: { cspNonce: '__CSP_NONCE__' },
  // A data URL would bypass the server's list of assets and their caching.
  build: { assetsInlineLimit: 0, reportCompressedSize: false, chunkSizeWarningLimit: 900 },
});
