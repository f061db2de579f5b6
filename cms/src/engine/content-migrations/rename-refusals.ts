import { invalid } from '../../base/errors.ts'
import type { Document } from '../../model/terms/document.ts'

// Why `renameType` refuses.

/** A type is renamed once the site no longer has it. */
export function stillThere(name: string) {
  return invalid(`The site still has the type ${name}: take it out of the site first.`)
}

/** The document of a singleton gives way to a renamed one only while nobody has saved it. */
export function isSaved(from: string, to: string) {
  return invalid(
    `${to} was saved under its new name before this migration, and keeps what was saved. ${insteadOf(from, to)}`,
  )
}

/** The service finds its own documents by their ids, and those of renamed types keep theirs. */
export function isBuiltIn(from: string, to: string) {
  return invalid(`${to} is built in, and has a document of its own. ${insteadOf(from, to)}`)
}

function insteadOf(from: string, to: string): string {
  return (
    `With the former site: quire export FILE --type ${from}. ` +
    `Then leave this step out, and with the new one: quire import FILE --map ${from}=${to} --update`
  )
}

/** Returns the error for a document of another type that would become a singleton. */
export function isOneOfMany({ type }: Document, to: string) {
  return invalid(`${to} is a singleton, and ${type} was none: it has documents of its own.`)
}
