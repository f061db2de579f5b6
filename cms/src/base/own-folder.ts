/** The path, as in URLs, of the folder with the sources of this program, or with what was built of them. */
export const OWN_FOLDER = new URL(import.meta.url.replace(/\/(src|dist)\/(?!.*\/\1\/).*$/, '/$1/')).pathname
