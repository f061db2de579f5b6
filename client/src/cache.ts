import type { AnswerCache, KeptAnswer } from './request.ts'

/** Keeps answers in memory, up to a number of bytes; those that were used last stay. */
export function memoryCache({ maxBytes = 5_000_000 } = {}): AnswerCache {
  const kept = new Map<string, { readonly answer: KeptAnswer; readonly size: number }>()
  let bytes = 0
  const remove = (key: string) => {
    bytes -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  const put = (key: string, answer: KeptAnswer, size: number) => {
    remove(key)
    kept.set(key, { answer, size })
    bytes += size
  }
  return {
    get(key) {
      const found = kept.get(key)
      if (found) put(key, found.answer, found.size)
      return found?.answer
    },
    set(key, answer) {
      // Texts take two bytes for each character.
      put(key, answer, 2 * (key.length + JSON.stringify(answer.body).length))
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
