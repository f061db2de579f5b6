import { currentSources } from '../store/store.ts'
import type { Caching } from './answer-caching.ts'

/** For one answer, which may be cached until something says otherwise. */
export function newCaching(): Caching {
  let isAllowed = true
  return {
    isAllowed: () => isAllowed,
    forbid() {
      isAllowed = false
      currentSources()?.noteUnknown()
    },
  }
}
