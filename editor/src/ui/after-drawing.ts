/** Runs once what was just changed is in the document, before the next key: none of them meets the old one. */
export function afterDrawing(run: () => void): void {
  queueMicrotask(run)
}
