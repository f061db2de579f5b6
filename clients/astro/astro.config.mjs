import apostrophe from '@apostrophecms/apostrophe-astro'
import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

const isStatic = process.env.STATIC === '1'

// As the starter kits have it. APOS_HOST and APOS_PREFIX name the service; STATIC=1 writes files, and no server.
export default defineConfig({
  ...(isStatic ? { output: 'static' } : { output: 'server', adapter: node({ mode: 'standalone' }) }),
  base: process.env.APOS_PREFIX,
  outDir: process.env.OUT_DIR,
  integrations: [
    apostrophe({
      aposHost: 'http://localhost:3000',
      widgetsMapping: './src/widgets',
      templatesMapping: './src/templates',
      includeResponseHeaders: [
        'content-security-policy',
        'strict-transport-security',
        'x-frame-options',
        'referrer-policy',
        'cache-control',
        'access-control-allow-origin',
        'access-control-allow-credentials',
      ],
    }),
  ],
  vite: { ssr: { noExternal: ['@apostrophecms/apostrophe-astro'] } },
})
