import { currentSources } from '../store/store.ts'

/** Whether an answer may be cached (§0.7). */
export interface Caching {
  isAllowed(): boolean
  /** Says that the answer depends on more than stored content and the caller's role: on who they are, on time, on others. */
  forbid(): void
}

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
