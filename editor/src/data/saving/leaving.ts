import type { Saver } from './saver.ts'

/** Saves at once when the page is hidden, since it may never come back, and when the network returns. */
export function saveOnLeaving(saver: Saver, signal: AbortSignal): void {
  const leave = () => {
    if (document.visibilityState === 'hidden') void saver.flush({ isLeaving: true })
  }
  document.addEventListener('visibilitychange', leave, { signal })
  window.addEventListener('online', () => void saver.flush(), { signal })
  window.addEventListener(
    'beforeunload',
    (event) => {
      if (!saver.isSafe.value) event.preventDefault()
    },
    { signal },
  )
}
