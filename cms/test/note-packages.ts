import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// For `--import`: writes what the process reads, packages and Node's own WebSocket client, to the file PACKAGES_FILE.
const file = process.env.PACKAGES_FILE ?? ''

registerHooks({
  load(url, context, next) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
    if (name !== undefined) appendFileSync(file, `${name}\n`)
    return next(url, context)
  },
})

process.on('exit', () => {
  // `as`: Node has this list, but does not describe it.
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] }
  if (moduleLoadList.some((name) => name.endsWith('/undici'))) appendFileSync(file, 'undici\n')
})
