import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// For `--import`: writes what the process loads to the file MODULES_FILE, a URL a line, until its first answer is sent;
// and whether it loads Node's own WebSocket client.
const file = process.env.MODULES_FILE ?? ''

const hooks = registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})

subscribe('http.server.response.finish', () => {
  hooks.deregister()
  // `as`: Node has this list, but does not describe it.
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] }
  if (moduleLoadList.some((name) => name.endsWith('/undici'))) appendFileSync(file, 'node:undici\n')
  appendFileSync(file, 'answered\n')
})
