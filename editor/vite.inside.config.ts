import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'

// The script in the page of a draft: one file with a name that stays, which layouts of front ends can include.
export default defineConfig({
  plugins: [compressed('inside')],
  publicDir: false,
  build: {
    target: 'es2024',
    outDir: 'dist',
    emptyOutDir: false,
    lib: {
      entry: 'src/inside/inside.ts',
      formats: ['iife'],
      name: 'quireInside',
      fileName: () => 'inside/inside.js',
    },
  },
})
