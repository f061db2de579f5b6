import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { layered } from './build/layered.ts'

/** Rich text is the largest part, and loaded when a text is entered; files for translators when somebody asks for them. */
const COMMON =
  /editor\/src\/(?:base|data|model|ui|words|screens\/parts)\/(?!translation(?:\.ts|\/(?!translation-menu)))|node_modules\/(?!prosemirror|orderedmap|rope-sequence|w3c-keyname)/

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
    rolldownOptions: {
      output: {
        // What every screen needs is one file: parts that are loaded later share it, and ask for little more.
        codeSplitting: { groups: [{ name: 'common', test: COMMON }] },
      },
    },
  },
})
