import { select } from './select.ts'

/** One of several choices, all of them in sight: a `select` that the editor shows otherwise. */
export const radio: typeof select = { ...select, name: 'radio' }
