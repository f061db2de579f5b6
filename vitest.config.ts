import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The package is its sources here.
  resolve: { alias: { 'quire-cms': fileURLToPath(new URL('cms/src/index.ts', import.meta.url)) } },
  test: {
    include: [
      'cms/**/*.test.ts',
      'create/*.test.ts',
      'example/**/*.test.ts',
      'conformance/**/*.test.ts',
      'bench/**/*.test.ts',
      'docs/**/*.test.ts',
      'deploy/**/*.test.ts',
      'clients/**/*.test.ts',
    ],
    // What never comes is noticed; what is slow on a loaded machine is not.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    // Nothing in a module changes: files share what is loaded.
    isolate: false,
    globalSetup: [
      'cms/test/environment.ts',
      'cms/test/sample.ts',
      'cms/test/temporary-folder.ts',
      'cms/test/postgres-server.ts',
    ],
  },
})
