import apostrophe from '@apostrophecms/apostrophe-astro'
import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

// As the integration's README shows it. APOS_HOST and APOS_PREFIX name the service.
export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  base: process.env.APOS_PREFIX,
  outDir: process.env.OUT_DIR,
  integrations: [
    apostrophe({
      aposHost: 'http://localhost:3000',
      widgetsMapping: './src/widgets',
      templatesMapping: './src/templates',
      includeResponseHeaders: ['cache-control'],
      excludeRequestHeaders: ['host'],
    }),
  ],
  vite: { ssr: { noExternal: ['@apostrophecms/apostrophe-astro'] } },
})
