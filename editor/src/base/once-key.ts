import { newId } from './ids.ts'

/** Names a write so that it is done once, however often it is sent (§0.9): the same key as long as its body is the same. */
export function onceKeys(): (body: unknown) => string {
  let [last, key] = ['', '']
  return (body) => {
    const text = JSON.stringify(body)
    if (text !== last) [last, key] = [text, newId()]
    return key
  }
}
