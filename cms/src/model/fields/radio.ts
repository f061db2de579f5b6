import { select } from './select.ts'

/** One of several choices, all visible: a `select` with another appearance in the editor. */
export const radio: typeof select = { ...select, name: 'radio', hasNoPlaceholder: true }
