/** The states of documents. */
export const states = { draft: 'Draft', modified: 'Changed', published: 'Published', archived: 'Archived' }
