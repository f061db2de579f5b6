import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { callerOf } from '../cms/test/caller.ts'
import { SERVING_KEYS, type Serving, serve } from '../cms/test/serving.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { send } from '../cms/test/wire.ts'
import { articleBody } from './content.ts'
import { residentBytes } from './processes.ts'

// `node bench/bursts.ts`: how much of the memory that a burst of requests takes is given back, minute by minute. Prints
// a row; `MALLOC_…`, `NODE_OPTIONS` and `QUIRE_…` of the environment are those of the service.

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '6' },
    callers: { type: 'string', default: '400' },
    articles: { type: 'string', default: '500' },
    /** Requests a second after the burst. */
    quiet: { type: 'string', default: '0' },
  },
})
const SITE = fileURLToPath(new URL('site.ts', import.meta.url))
const EDITOR = { authorization: `ApiKey ${SERVING_KEYS.editor}` }
const AT_REST_MS = 10_000

const folder = await temporaryFolder('quire-bursts')
const places = { QUIRE_UPLOADS: join(folder, 'uploads') }
const database = `sqlite:${join(folder, 'site.db')}`
try {
  await fill(await serve(database, places, SITE))
  const serving = await serve(database, { MALLOC_ARENA_MAX: '2', ...places }, SITE)
  await pause(AT_REST_MS)
  console.log(`At rest: ${memoryOf(serving)}`)
  let n = 0
  const until = performance.now() + Number(flags.seconds) * 1000
  const ask = async () => {
    while (performance.now() < until) {
      n += 1
      const path = n % 2 === 0 ? `/api/v1/article?perPage=500&n=${n}` : `/api/v1/article?search=a+${n % 500}&n=${n}`
      await send(serving.address, { method: 'GET', path, headers: EDITOR })
    }
  }
  await Promise.all(Array.from({ length: Number(flags.callers) }, ask))
  console.log(`After ${n} requests of ${flags.callers} callers: ${memoryOf(serving)}`)
  for (let minute = 1; minute <= Number(flags.minutes); minute += 1) {
    await minuteOf(serving)
    console.log(`${minute} minutes later: ${memoryOf(serving)}; heap ${await heapOf(serving)}`)
  }
  await serving.end('SIGTERM')
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function fill(serving: Serving): Promise<void> {
  const editor = callerOf(serving.address, SERVING_KEYS.editor, null)
  for (let n = 0; n < Number(flags.articles); n += 1) await editor.post('article', articleBody(n, []))
  await serving.end('SIGTERM')
}

async function minuteOf({ address }: Serving): Promise<void> {
  const end = performance.now() + 60_000
  const rate = Number(flags.quiet)
  if (rate === 0) return pause(60_000)
  while (performance.now() < end) {
    await send(address, { method: 'GET', path: '/api/v1/article?perPage=10', headers: EDITOR })
    await pause(1000 / rate)
  }
}

async function heapOf({ address }: Serving): Promise<string> {
  const headers = { authorization: `ApiKey ${SERVING_KEYS.admin}` }
  const text = await (await fetch(`${address}/api/v1/metrics`, { headers })).text()
  const megabytes = (name: string) => Math.round(Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / 1024 ** 2)
  return `${megabytes('nodejs_heap_size_used_bytes')} MB, outside of it ${megabytes('nodejs_external_memory_bytes')} MB`
}

function memoryOf({ processId }: Serving): string {
  return `${Math.round(residentBytes(processId) / 1024 ** 2)} MB`
}
