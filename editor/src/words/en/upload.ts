const units = ['KB', 'MB', 'GB']

/** Bytes as people read them: `1.2 MB`. */
function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** power
  return `${amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${units[power - 1] ?? ''}`
}

/** Uploads. */
export const upload = {
  size,
  upload: 'Upload',
  replace: 'Replace',
  replacing:
    'All places that use this picture show the new file. Where only a part of it was shown, all of the new one is, until a part is chosen again there.',
  remove: 'Remove',
  drop: 'or drop or paste it here',
  takes: (extensions: readonly string[], bytes: number) => `${extensions.join(', ')}; at most ${size(bytes)}`,
  progress: (name: string) => `Uploading ${name}`,
  waiting: (name: string) => `${name} waits for its turn.`,
  cancel: (name: string) => `Cancel ${name}`,
  cancelled: (name: string) => `${name} was not uploaded.`,
  again: 'Try again',
  dismiss: 'Close',
  wrongKind: (name: string, extensions: readonly string[]) => `${name} is not one of these: ${extensions.join(', ')}.`,
  tooLarge: (name: string, bytes: number) => `${name} is too large. At most ${size(bytes)}.`,
  failed: (name: string, message: string) => `${name} was not uploaded: ${message}`,
  done: (name: string) => `${name} is uploaded.`,
  pixels: (width: number, height: number) => `${width} × ${height} pixels`,
}
