/** How the dashboard is built. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const outDir = here('../../dist/dashboard')

/** Compresses when it is built what is sent often: it would hold up the server for a second. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  closeBundle() {
    for (const name of readdirSync(join(outDir, 'app'))) {
      const file = join(outDir, 'app', name)
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
    }
  },
}

/** Builds the dashboard into `dist/dashboard`, from where mfano serves it below every world's own address. */
export default defineConfig({
  root: here('.'),
  // Addresses in the page are relative: the same files serve `/_mfano/` and `/w/{world}/_mfano/`.
  base: './',
  plugins: [compressed],
  build: {
    outDir,
    assetsDir: 'app',
    emptyOutDir: true,
    target: 'es2023',
    // From these on, browsers know light-dark() themselves; what older ones are given instead follows no switch.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      onwarn: (warning, warn) => {
        // "use client" speaks to servers that render React; there is none here.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
})
