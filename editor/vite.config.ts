import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { layered } from './build/layered.ts'

// One build, with a relative base, so that it is served at any path.
export default defineConfig({
  base: './',
  plugins: [layered(), compressed('assets')],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['quire-source', 'module', 'browser', 'production'] },
  build: {
    target: 'es2024',
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    emptyOutDir: true,
  },
})
