/** Ids in order: `id1`, `id2` … */
export function counting(prefix: string): () => string {
  let count = 0
  return () => {
    count += 1
    return `${prefix}${count}`
  }
}
