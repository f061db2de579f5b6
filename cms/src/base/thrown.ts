// Reading what was thrown, which may be anything.

/** The message of an error; anything else as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The code that the system, Node.js or a library gives an error: `ENOENT`. Empty when it has none. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
}

/** Whether an error has one of these codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): thrown is Error {
  return codes.includes(codeOf(thrown))
}
