/** A place below another one: `address` and `city` give `address.city`; an empty step or base adds nothing. */
export function joinPath(base: string, step: string): string {
  if (base === '' || step === '') return base + step
  return `${base}.${step}`
}
