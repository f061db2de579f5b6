import { type ReadonlySignal, signal } from '@preact/signals'
import { createContext } from 'preact'

/** Whether publishing was tried: from then on all that is missing is shown, also in fields that nobody has entered. */
export const Tried = createContext<ReadonlySignal<boolean>>(signal(false))
