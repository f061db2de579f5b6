import { subscribe } from 'node:diagnostics_channel'
import { ownUsage, reply, type Usage } from './children.ts'

/** Measurements inside the process of the service since it last began to watch. */
export interface Seen extends Usage {
  /** Answers from the answer cache, and answers made for it. */
  readonly hits: number
  readonly misses: number
  /** Processor time of the main thread for each request that was watched, in microseconds. */
  readonly reads: readonly { readonly after: string; readonly cpu: number }[]
}

// Loaded into the process of the command (`node --import`): reports what it uses, without changing what it does.
let hits = 0
let misses = 0
let reads: { after: string; cpu: number }[] = []
let isWatching = false
/** The requests before this one, and when this one began. */
let last = { method: '', after: '', began: 0 }

subscribe('quire.answers', (message) => {
  if ((message as { readonly isHit: boolean }).isHit) hits += 1
  else misses += 1
})
subscribe('http.server.request.start', (message) => {
  if (!isWatching) return
  const { method } = (message as { readonly request: { readonly method: string } }).request
  const now = threadTime()
  if (last.method === 'GET') reads.push({ after: last.after, cpu: now - last.began })
  last = { method, after: last.method, began: threadTime() }
})
reply(answerParent)

/** Sends the measurements; `watch` starts them again, and says whether requests are watched from now on. */
function answerParent({ watch }: { readonly watch?: boolean }): Seen {
  const seen = { ...ownUsage(), hits, misses, reads }
  if (watch === undefined) return seen
  isWatching = watch
  last = { method: '', after: '', began: 0 }
  hits = 0
  misses = 0
  reads = []
  return seen
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
