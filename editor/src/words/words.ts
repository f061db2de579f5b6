import { en } from './en.ts'

/** Every language has all of these. */
export type Words = typeof en

/** The words of the language that was chosen. */
export let t: Words = en

/** Chooses a language, before anything is drawn. */
export function speak(words: Words): void {
  t = words
}
