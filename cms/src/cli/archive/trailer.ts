/** Stands before the checksum: a frame that zstd skips (RFC 8878, 3.1.2), of 32 bytes. */
const SKIPPED = Buffer.from([0x5c, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])

/** How many bytes the trailer has. */
export const TRAILER_BYTES = SKIPPED.length + 32

/** How many parts one list of checksums has. */
export const CHECKED_PARTS = 500

/** The last bytes of an archive: the SHA-256 of all bytes before them. */
export function trailerOf(digest: Buffer): Buffer {
  return Buffer.concat([SKIPPED, digest])
}

/** Whether bytes are such an end, of whatever archive. */
export function isTrailer(bytes: Buffer): boolean {
  return bytes.length === TRAILER_BYTES && bytes.subarray(0, SKIPPED.length).equals(SKIPPED)
}

const SUMS = 'checksums/'

/** The name of a list of checksums: of the parts after the list before it. */
export function sumsName(number: number): string {
  return `${SUMS}${String(number).padStart(6, '0')}.sha256`
}

/** Whether a part is a list of checksums. */
export function isSums(name: string): boolean {
  return name.startsWith(SUMS)
}
