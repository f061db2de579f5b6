/** Which branches are open, and where somebody was: ids alone, as long as the tab is open. */
export interface Remembered {
  readonly open: readonly string[]
  readonly active: string | null
}

/** Returns the value that this tab remembers under a name; null where there is none. */
export function recall(name: string): Remembered | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('open' in kept) || !Array.isArray(kept.open)) return null
    const active = 'active' in kept && typeof kept.active === 'string' ? kept.active : null
    return { open: kept.open.map(String), active }
  } catch {
    return null
  }
}

/** Keeps it; a browser that keeps nothing forgets it. */
export function remember(name: string, kept: Remembered): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(kept))
  } catch {
    // There is no room, or no storage.
  }
}
