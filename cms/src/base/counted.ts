/** A number of things in words: `1 document`, `2 documents`; `many` where the plural has no plain `s`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
