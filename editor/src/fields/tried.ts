import { type ReadonlySignal, signal } from '@preact/signals'
import { createContext } from 'preact'

/** Somebody tried to publish: from then on all that is missing is told, also in fields that nobody has entered. */
export const Tried = createContext<ReadonlySignal<boolean>>(signal(false))
