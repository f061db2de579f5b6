/** Longest step of a name, in bytes: what common file systems take. */
const MAX_STEP = 255
const MAX_NAME = 1024

/**
 * True for what can be the name of a stored file: steps of visible characters, none of which is hidden, leaves the
 * folder, or means something else on another system. Names that are no such are nobody's file.
 */
export function isFileName(name: string): boolean {
  if (name === '' || name.length > MAX_NAME) return false
  return name.split('/').every((step) => isStep(step))
}

function isStep(step: string): boolean {
  if (step === '' || step.startsWith('.') || Buffer.byteLength(step) > MAX_STEP) return false
  return !/[\p{Cc}\\:*?"<>|%]/u.test(step) && step.isWellFormed()
}

/** A name as part of a URL: each step percent-encoded. */
export function urlPath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}
