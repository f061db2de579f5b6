import { configDefaults, defineConfig } from 'vitest/config'
import { leftOut } from './cms/test/long-files.ts'

export default defineConfig({
  test: {
    include: [
      'cms/**/*.test.ts',
      'client/**/*.test.ts',
      'editor/**/*.test.ts',
      'diff/**/*.test.ts',
      'create/*.test.ts',
      'example/**/*.test.ts',
      'conformance/**/*.test.ts',
      'bench/**/*.test.ts',
      'docs/**/*.test.ts',
      'deploy/**/*.test.ts',
      'clients/**/*.test.ts',
    ],
    exclude: [...configDefaults.exclude, ...leftOut(process.argv.slice(2))],
    // What never comes is noticed; what is slow on a loaded machine is not.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    // Nothing in a module changes: files share what is loaded.
    isolate: false,
    // Node.js loads the sources as it does for `quire`: nothing is transformed, and the package is its sources.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--conditions=quire-source'],
    globalSetup: [
      'cms/test/environment.ts',
      'cms/test/sample.ts',
      'cms/test/temporary-folder.ts',
      'cms/test/postgres-server.ts',
    ],
  },
})
