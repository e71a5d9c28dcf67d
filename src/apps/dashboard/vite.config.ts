import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  // Addresses in the page are relative: the same files serve `/_mfano/` and `/w/{world}/_mfano/`.
  base: './',
  build: {
    assetsDir: 'app',
    emptyOutDir: true,
    target: 'es2023',
    // From these versions on, browsers support light-dark() themselves. The fallback for older ones cannot follow the
    // switch.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      onwarn: (warning, warn) => {
        // "use client" matters only to servers that render React.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
})
