import type { Plugin } from 'vite'

const ORDER = '@layer base, parts, screens, site;\n'

/** Begins each style sheet with the order of the layers, so that it holds whichever the browser reads first. */
export function layered(): Plugin {
  return {
    name: 'layered',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.css') ? ORDER + code : undefined),
  }
}
