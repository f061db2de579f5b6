/** Joins a base path and a step: `address` and `city` give `address.city`; an empty one adds nothing. */
export function joinPath(base: string, step: string): string {
  if (base === '' || step === '') return base + step
  return `${base}.${step}`
}
